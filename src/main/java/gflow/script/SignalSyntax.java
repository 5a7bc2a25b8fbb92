package gflow.script;

import java.util.List;
import java.util.Locale;

/** Signals by name or number. */
public final class SignalSyntax {
  /** By number, from 1; those of x86-64 and aarch64. */
  private static final List<String> NAMES =
      List.of(
          "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
          "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
          "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS");

  private static final int HIGHEST = 64;

  private SignalSyntax() {}

  /** {@code USR1}, {@code SIGUSR1} or {@code 10}. */
  public static int number(String text) throws BadInput {
    String word = text.strip().toUpperCase(Locale.ROOT);
    if (word.matches("\\d{1,2}")) {
      int number = Integer.parseInt(word);
      if (number >= 1 && number <= HIGHEST) {
        return number;
      }
    }
    int index = NAMES.indexOf(word.startsWith("SIG") ? word.substring(3) : word);
    if (index < 0) {
      throw new BadInput("there is no signal '" + text + "'; write USR1 or 10");
    }
    return index + 1;
  }
}
