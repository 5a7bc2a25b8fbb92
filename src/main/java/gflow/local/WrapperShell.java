package gflow.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The shell that runs the wrapper's text. The program shall have the submitter's environment byte
 * for byte, but a shell drops entries whose names are not its own kind, and sets some of its own.
 * What it drops may be a secret, which must not stand in a command line where everybody sees it.
 */
enum WrapperShell {
  /** Small and quick. */
  SH,

  /**
   * For an environment with odd names, such as {@code BASH_FUNC_module%%} or {@code db.password}:
   * bash hands them on. {@code -p}: no function of that environment becomes one of the wrapper.
   */
  BASH;

  /** Names that every shell sets or drops itself; nothing in them is secret. */
  private static final List<String> DELICATE =
      List.of("_", "IFS", "OPTIND", "PPID", "PS1", "PS2", "PS4");

  /** Names that bash changes and dash does not: nearly every environment has the first ones. */
  private static final List<String> DELICATE_UNLESS_DASH =
      List.of(
          "SHLVL",
          "OLDPWD",
          "UID",
          "EUID",
          "SHELLOPTS",
          "BASHOPTS",
          "BASH",
          "BASH_VERSION",
          "LINENO");

  private static final boolean DASH = isDash(Path.of("/bin/sh"));
  private static final boolean HAS_BASH = Files.isExecutable(Path.of("/bin/bash"));

  /** What the shell is given, and what goes around it by {@code env}. */
  record Split(byte[] through, List<String> around) {}

  List<String> words() {
    return switch (this) {
      case SH -> List.of("/bin/sh");
      case BASH -> List.of("/bin/bash", "--posix", "-p");
    };
  }

  static WrapperShell of(byte[] environment) {
    return HAS_BASH && hasOddNames(environment) ? BASH : SH;
  }

  /** Where there is no bash, an entry with an odd name is left out: nobody could set it unseen. */
  Split split(byte[] environment) {
    return split(environment, this == SH && DASH);
  }

  Split split(byte[] environment, boolean dash) {
    var through = new ByteArrayOutputStream(environment.length);
    var around = new ArrayList<String>();
    for (int start = 0; start < environment.length; ) {
      int end = end(environment, start);
      String name = name(environment, start, end);
      if (DELICATE.contains(name) || (!dash && DELICATE_UNLESS_DASH.contains(name))) {
        around.add(new String(environment, start, end - start, UTF_8));
      } else if (!name.isEmpty() && (this == BASH || isPlain(name))) {
        through.write(environment, start, end - start);
        through.write(0);
      }
      start = end + 1;
    }
    return new Split(through.toByteArray(), around);
  }

  private static boolean hasOddNames(byte[] environment) {
    for (int start = 0; start < environment.length; start = end(environment, start) + 1) {
      String name = name(environment, start, end(environment, start));
      if (!name.isEmpty() && !isPlain(name)) {
        return true;
      }
    }
    return false;
  }

  private static int end(byte[] environment, int start) {
    int end = start;
    while (end < environment.length && environment[end] != 0) {
      end++;
    }
    return end;
  }

  /** Empty where there is no value: that is no entry. */
  private static String name(byte[] environment, int start, int end) {
    int equals = start + 1;
    while (equals < end && environment[equals] != '=') {
      equals++;
    }
    return equals < end ? new String(environment, start, equals - start, UTF_8) : "";
  }

  static boolean isDash(Path shell) {
    try {
      return shell.toRealPath().endsWith("dash");
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean isPlain(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      boolean letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
      if (!letter && !(i > 0 && c >= '0' && c <= '9')) {
        return false;
      }
    }
    return true;
  }
}
