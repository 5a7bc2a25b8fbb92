package gflow.script.value;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Time limits: Slurm's forms, and {@code 90s 30m 2h 1d 2w}. */
public final class Times {
  public static final Duration LONGEST = Duration.ofDays(3650);

  private static final Duration LONGEST_PAUSE = Duration.ofHours(1);
  private static final Pattern NO_LIMIT = Pattern.compile("0|-1|infinite|unlimited|none");
  private static final Pattern FRIENDLY = Pattern.compile("(\\d{1,9})\\s?(s|m|min|h|d|w)");
  private static final Pattern PAUSE = Pattern.compile("(\\d{1,7}(?:\\.\\d{1,3})?)(s|ms)?");
  private static final Pattern CLOCK =
      Pattern.compile("(\\d{1,9})(?::(\\d{1,9}))?(?::(\\d{1,9}))?");
  private static final Pattern DAYS =
      Pattern.compile("(\\d{1,9})-(\\d{1,9})(?::(\\d{1,9}))?(?::(\\d{1,9}))?");

  private Times() {}

  /** A change of a time limit: a new one, or more (or less) of the old one. */
  public sealed interface Change {
    /** Empty = no limit. */
    record To(Optional<Duration> limit) implements Change {}

    record By(Duration more) implements Change {}
  }

  /** Empty = no limit. */
  public static Optional<Duration> limit(String text) throws BadInput {
    String word = text.strip().toLowerCase(Locale.ROOT);
    if (NO_LIMIT.matcher(word).matches()) {
      return Optional.empty();
    }
    Duration time = duration(text);
    // Slurm reads 0:00 as no limit too.
    return time.isZero() ? Optional.empty() : Optional.of(time);
  }

  /** {@code 2:00:00}, or {@code +2h} and {@code -30m} to move the old limit. */
  public static Change change(String text) throws BadInput {
    String word = text.strip();
    if (word.startsWith("+")) {
      return new Change.By(duration(word.substring(1)));
    }
    if (word.startsWith("-") && !word.equals("-1")) {
      return new Change.By(duration(word.substring(1)).negated());
    }
    return new Change.To(limit(word));
  }

  /** As Slurm shows it: {@code 1-02:03:04}, or {@code 02:03:04} within a day. */
  public static String format(Duration time) {
    String days = time.toDays() > 0 ? time.toDays() + "-" : "";
    return days
        + two(time.toHoursPart())
        + ":"
        + two(time.toMinutesPart())
        + ":"
        + two(time.toSecondsPart());
  }

  /** Not by String.format, whose first call takes as long as all the rest of a listing. */
  private static String two(long number) {
    return number < 10 ? "0" + number : Long.toString(number);
  }

  /** A short one: {@code 0.2s}, {@code 200ms}. */
  public static Duration pause(String text) throws BadInput {
    Matcher match = PAUSE.matcher(text.strip());
    long millis = -1;
    if (match.matches()) {
      var number = new BigDecimal(match.group(1));
      millis = ("ms".equals(match.group(2)) ? number : number.movePointRight(3)).longValue();
    }
    if (millis < 0 || millis > LONGEST_PAUSE.toMillis()) {
      throw new BadInput("stagger '" + text + "' is no pause up to an hour; write 0.2s or 200ms");
    }
    return Duration.ofMillis(millis);
  }

  /** A length of time, never negative. */
  public static Duration duration(String text) throws BadInput {
    long seconds = seconds(text.strip().toLowerCase(Locale.ROOT));
    if (seconds < 0) {
      throw new BadInput(
          "time '"
              + text
              + "' is not understood; write minutes (30), 4:00:00, 1-12:00, 90s, 2h or unlimited");
    }
    if (seconds > LONGEST.toSeconds()) {
      throw new BadInput(
          "time '" + text + "' is more than 3650 days; write unlimited for no limit");
    }
    return Duration.ofSeconds(seconds);
  }

  private static long seconds(String word) {
    Matcher friendly = FRIENDLY.matcher(word);
    if (friendly.matches()) {
      return number(friendly, 1) * unit(friendly.group(2));
    }
    Matcher days = DAYS.matcher(word);
    if (days.matches()) {
      return number(days, 1) * 86400
          + number(days, 2) * 3600
          + number(days, 3) * 60
          + number(days, 4);
    }
    Matcher clock = CLOCK.matcher(word);
    if (!clock.matches()) {
      return -1;
    }
    return clock.group(3) == null
        ? number(clock, 1) * 60 + number(clock, 2)
        : number(clock, 1) * 3600 + number(clock, 2) * 60 + number(clock, 3);
  }

  static long unit(String unit) {
    return switch (unit.charAt(0)) {
      case 's' -> 1;
      case 'm' -> 60;
      case 'h' -> 3600;
      case 'd' -> 86400;
      default -> 7 * 86400;
    };
  }

  private static long number(Matcher matcher, int group) {
    String digits = matcher.group(group);
    return digits == null ? 0 : Long.parseLong(digits);
  }
}
