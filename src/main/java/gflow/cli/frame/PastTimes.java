package gflow.cli.frame;

import gflow.script.value.BadInput;
import gflow.script.value.BeginTimes;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times that have been: a date, a date and time, {@code today}, or how long ago. */
public final class PastTimes {
  private static final Pattern AGO = Pattern.compile("(\\d{1,6})\\s?([smhdw])");

  private PastTimes() {}

  public static Instant time(String text, Instant now, ZoneId zone) throws BadInput {
    String word = text.strip().toLowerCase(Locale.ROOT);
    if (word.equals("yesterday")) {
      return now.atZone(zone).toLocalDate().minusDays(1).atStartOfDay(zone).toInstant();
    }
    if (AGO.matcher(word).matches()) {
      return now.minus(ago(word));
    }
    try {
      return BeginTimes.past(text, now, zone);
    } catch (BadInput e) {
      throw new BadInput(
          "time '" + text + "' is not understood; write 2026-11-01, 2026-11-01T08:00, today or 7d");
    }
  }

  /** {@code 30d}, {@code 12h}, {@code 2w}. */
  public static Duration ago(String text) throws BadInput {
    Matcher matcher = AGO.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new BadInput("'" + text + "' is no length of time; write 30d, 12h or 2w");
    }
    long count = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(count);
      case "m" -> Duration.ofMinutes(count);
      case "h" -> Duration.ofHours(count);
      case "d" -> Duration.ofDays(count);
      default -> Duration.ofDays(7 * count);
    };
  }
}
