package gflow.script.value;

import gflow.job.EarlySignal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Signals by name or number, and {@code --signal}: {@code USR1}, {@code B:TERM@120}. */
public final class SignalSyntax {
  /** By number, from 1; those of x86-64 and aarch64. */
  private static final List<String> NAMES =
      List.of(
          "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV", "USR2",
          "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN", "TTOU", "URG",
          "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS");

  private static final int HIGHEST = 64;
  private static final int MOST_SECONDS = 65_535;
  private static final int USUAL_SECONDS = 60;
  private static final Pattern EARLY =
      Pattern.compile("(?:([RrBb]{1,2}):)?([A-Za-z0-9]+)(?:@(\\d{1,9}))?");

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
      String hint =
          NearestWord.to(word, NAMES)
              .map(name -> "did you mean " + name + "?")
              .orElse("write USR1 or 10");
      throw new BadInput("there is no signal '" + text + "'; " + hint);
    }
    return index + 1;
  }

  public static EarlySignal early(String text) throws BadInput {
    Matcher matcher = EARLY.matcher(text.strip());
    if (!matcher.matches()) {
      throw bad(text);
    }
    String flags = matcher.group(1) == null ? "" : matcher.group(1).toUpperCase(Locale.ROOT);
    int seconds = matcher.group(3) == null ? USUAL_SECONDS : Integer.parseInt(matcher.group(3));
    if (seconds > MOST_SECONDS) {
      throw new BadInput(
          "signal '" + text + "': " + seconds + " s before the end; at most " + MOST_SECONDS);
    }
    return new EarlySignal(
        number(matcher.group(2)), Duration.ofSeconds(seconds), flags.contains("B"));
  }

  private static BadInput bad(String text) {
    return new BadInput(
        "signal '" + text + "' is not understood; write USR1, USR1@120 or B:TERM@60");
  }
}
