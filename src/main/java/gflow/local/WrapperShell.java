package gflow.local;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import gflow.process.RawText;
import gflow.script.env.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

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
  private static final Set<String> DELICATE =
      Set.of("_", "IFS", "OPTIND", "PPID", "PS1", "PS2", "PS4");

  /** Names that bash changes and dash does not: nearly every environment has the first ones. */
  private static final Set<String> DELICATE_UNLESS_DASH =
      Set.of(
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
  record Split(Environment through, List<String> around) {}

  List<String> words() {
    return switch (this) {
      case SH -> List.of("/bin/sh");
      case BASH -> List.of("/bin/bash", "--posix", "-p");
    };
  }

  static WrapperShell of(Environment environment) {
    return HAS_BASH && environment.entries().stream().anyMatch(WrapperShell::isOdd) ? BASH : SH;
  }

  private static boolean isOdd(String entry) {
    String name = name(entry);
    return !name.isEmpty() && !isPlain(name);
  }

  /** Where there is no bash, an entry with an odd name is left out: nobody could set it unseen. */
  Split split(Environment environment) {
    return split(environment, this == SH && DASH);
  }

  Split split(Environment environment, boolean dash) {
    var through = new ArrayList<String>(environment.entries().size());
    var around = new ArrayList<String>();
    for (String entry : environment.entries()) {
      String name = name(entry);
      if (DELICATE.contains(name) || (!dash && DELICATE_UNLESS_DASH.contains(name))) {
        around.add(RawText.of(entry.getBytes(ISO_8859_1)));
      } else if (!name.isEmpty() && (this == BASH || isPlain(name))) {
        through.add(entry);
      }
    }
    return new Split(new Environment(through), around);
  }

  /** Empty where there is no value: that is no entry. */
  private static String name(String entry) {
    return entry.substring(0, Math.max(0, entry.indexOf('=', 1)));
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
