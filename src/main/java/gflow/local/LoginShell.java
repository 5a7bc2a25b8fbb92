package gflow.local;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import gflow.process.RawText;
import gflow.script.env.Environment;
import java.util.List;
import java.util.Optional;

/**
 * A script whose first line is {@code #!/bin/bash -l}: the machine's profile sets PATH anew, so
 * that {@code srun} in it would not be found, or be that of a real Slurm. Bash reads the file that
 * BASH_ENV names after the profile, also as a login shell: there the job's folders go first again.
 */
final class LoginShell {
  static final String VARIABLE = "BASH_ENV";

  private LoginShell() {}

  static boolean is(List<String> interpreter) {
    String words = String.join(" ", interpreter) + " ";
    return words.matches("(\\S*/)?(env (-S )?)?bash (.* )?(--login|-[a-z]*l[a-z]*) .*");
  }

  /** What the file says: the folders, and then what the user's own file says, if there is one. */
  static byte[] text(List<String> folders, Environment environment) {
    Optional<String> users = users(environment);
    String path = quote(bytes(String.join(":", folders)));
    String rest =
        users
            .map(file -> VARIABLE + "=" + quote(file) + "\n[ -r \"$BASH_ENV\" ] && . \"$BASH_ENV\"")
            .orElse("unset BASH_ENV");
    return ("PATH=" + path + ":$PATH\n" + rest + "\n").getBytes(ISO_8859_1);
  }

  /** Byte for byte: each is one char. */
  private static Optional<String> users(Environment environment) {
    for (String entry : environment.entries()) {
      if (entry.startsWith(VARIABLE + "=") && entry.length() > VARIABLE.length() + 1) {
        return Optional.of(entry.substring(VARIABLE.length() + 1));
      }
    }
    return Optional.empty();
  }

  private static String bytes(String text) {
    return new String(RawText.bytes(text), ISO_8859_1);
  }

  private static String quote(String bytes) {
    return "'" + bytes.replace("'", "'\\''") + "'";
  }
}
