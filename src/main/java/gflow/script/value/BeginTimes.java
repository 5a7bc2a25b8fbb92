package gflow.script.value;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * When a job may start, as Slurm writes it: {@code 16:00}, {@code tomorrow}, {@code now+1hour},
 * {@code 2026-11-15T08:00}, {@code 11/15}, {@code 111526}, {@code noon-tomorrow}. A time of day is
 * its next occurrence, and a day without a year the next; of what has been, today and the last.
 */
public final class BeginTimes {
  private static final Pattern AFTER_NOW =
      Pattern.compile("(now)?\\s*\\+\\s*(\\d{1,7})\\s*([a-z]*)");
  private static final Pattern UNIT =
      Pattern.compile("s(ec(ond)?s?)?|m(in(ute)?s?)?|h((ou)?rs?)?|d(ays?)?|w(eeks?)?");
  private static final Pattern CLOCK =
      Pattern.compile("(\\d{1,2}):(\\d{2})(?::(\\d{2}))?\\s*([ap]m)?");
  private static final Pattern ISO_DATE = Pattern.compile("(\\d{4})-(\\d{1,2})-(\\d{1,2})");
  private static final Pattern US_DATE =
      Pattern.compile("(\\d{1,2})[/.](\\d{1,2})(?:[/.](\\d{2}|\\d{4}))?");
  private static final Pattern DIGITS = Pattern.compile("(\\d\\d)(\\d\\d)(\\d\\d)?");
  private static final Pattern DATED =
      Pattern.compile("(today|tomorrow|\\d+-\\d+-\\d+|[\\d/.]+)(?:[t\\s-]+(.+))?");
  private static final Pattern CLOCK_FIRST =
      Pattern.compile("([a-z]+|\\d{1,2}:[\\d:]+(?:\\s*[ap]m)?)[\\s-]+(today|tomorrow|[\\d/.-]+)");

  private static final Map<String, LocalTime> NAMED =
      Map.of(
          "midnight",
          LocalTime.MIDNIGHT,
          "noon",
          LocalTime.NOON,
          "fika",
          LocalTime.of(15, 0),
          "teatime",
          LocalTime.of(16, 0));

  private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

  private BeginTimes() {}

  public static Instant parse(String text, Instant now, ZoneId zone) throws BadInput {
    return parse(text, now, zone, false);
  }

  /** A time that has been: of today, or in the last twelve months. */
  public static Instant past(String text, Instant now, ZoneId zone) throws BadInput {
    return parse(text, now, zone, true);
  }

  private static Instant parse(String text, Instant now, ZoneId zone, boolean past)
      throws BadInput {
    String word = text.strip().toLowerCase(Locale.ROOT);
    try {
      if (word.equals("now")) {
        return now;
      }
      Matcher after = AFTER_NOW.matcher(word);
      if (after.matches()) {
        return afterNow(text, after, now);
      }
      Optional<LocalTime> clock = clock(word);
      if (clock.isPresent()) {
        ZonedDateTime today = now.atZone(zone).with(clock.get());
        return past ? today.toInstant() : next(clock.get(), now.atZone(zone));
      }
      Matcher turned = CLOCK_FIRST.matcher(word);
      String dated = turned.matches() ? turned.group(2) + " " + turned.group(1) : word;
      return dated(text, dated, now.atZone(zone), past);
    } catch (DateTimeException e) {
      throw bad(text);
    }
  }

  /** A time with its offset, 2030-01-31T12:00:00Z; beyond, no database counts microseconds. */
  public static Optional<Instant> iso(String text) {
    try {
      OffsetDateTime time = OffsetDateTime.parse(text);
      boolean near = time.getYear() >= 0 && time.getYear() <= 9999;
      return near ? Optional.of(time.toInstant()) : Optional.empty();
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  private static Instant afterNow(String text, Matcher after, Instant now) throws BadInput {
    String unit = after.group(3);
    if (unit.isEmpty() && after.group(1) == null) {
      throw new BadInput(
          "begin '" + text + "' has no unit; write " + text.strip() + "m or the like");
    }
    if (!unit.isEmpty() && !UNIT.matcher(unit).matches()) {
      throw bad(text);
    }
    long seconds = unit.isEmpty() ? 1 : Times.unit(unit);
    Instant begin = now.plusSeconds(Long.parseLong(after.group(2)) * seconds);
    if (begin.isAfter(LATEST)) {
      throw new BadInput("begin '" + text + "' is after the year 9999; write a nearer time");
    }
    return begin;
  }

  private static Optional<LocalTime> clock(String word) {
    if (NAMED.containsKey(word)) {
      return Optional.of(NAMED.get(word));
    }
    Matcher clock = CLOCK.matcher(word);
    if (!clock.matches()) {
      return Optional.empty();
    }
    int hour = hour(Integer.parseInt(clock.group(1)), clock.group(4) == null ? "" : clock.group(4));
    int second = clock.group(3) == null ? 0 : Integer.parseInt(clock.group(3));
    return Optional.of(LocalTime.of(hour, Integer.parseInt(clock.group(2)), second));
  }

  private static int hour(int written, String half) {
    if (half.isEmpty()) {
      return written;
    }
    if (written < 1 || written > 12) {
      throw new DateTimeException("no such hour");
    }
    return written % 12 + (half.equals("pm") ? 12 : 0);
  }

  private static Instant next(LocalTime time, ZonedDateTime now) {
    ZonedDateTime today = now.with(time);
    return (today.isAfter(now) ? today : now.plusDays(1).with(time)).toInstant();
  }

  private static Instant dated(String text, String word, ZonedDateTime now, boolean past)
      throws BadInput {
    Matcher dated = DATED.matcher(word);
    if (!dated.matches()) {
      throw bad(text);
    }
    Optional<LocalDate> date = date(dated.group(1), now, past);
    String clock = dated.group(2);
    Optional<LocalTime> time = clock == null ? Optional.of(LocalTime.MIN) : clock(clock);
    if (date.isPresent() && time.isPresent()) {
      return date.get().atTime(time.get()).atZone(now.getZone()).toInstant();
    }
    return iso(word.toUpperCase(Locale.ROOT)).orElseThrow(() -> bad(text));
  }

  private static Optional<LocalDate> date(String word, ZonedDateTime now, boolean past) {
    LocalDate today = now.toLocalDate();
    if (word.equals("today")) {
      return Optional.of(today);
    }
    if (word.equals("tomorrow")) {
      return Optional.of(today.plusDays(1));
    }
    Matcher iso = ISO_DATE.matcher(word);
    if (iso.matches()) {
      return Optional.of(day(iso.group(1), iso.group(2), iso.group(3)));
    }
    Matcher us = (word.matches("\\d+") ? DIGITS : US_DATE).matcher(word);
    if (!us.matches()) {
      return Optional.empty();
    }
    if (us.group(3) != null) {
      String year = us.group(3).length() == 2 ? "20" + us.group(3) : us.group(3);
      return Optional.of(day(year, us.group(1), us.group(2)));
    }
    LocalDate thisYear = day(Integer.toString(today.getYear()), us.group(1), us.group(2));
    if (past) {
      return Optional.of(thisYear.isAfter(today) ? thisYear.minusYears(1) : thisYear);
    }
    return Optional.of(thisYear.isBefore(today) ? thisYear.plusYears(1) : thisYear);
  }

  private static LocalDate day(String year, String month, String day) {
    return LocalDate.of(Integer.parseInt(year), Integer.parseInt(month), Integer.parseInt(day));
  }

  private static BadInput bad(String text) {
    return new BadInput(
        "begin '"
            + text
            + "' is no time; write 16:00, tomorrow, noon, now+1hour, +10m, 2026-11-15T08:00 or"
            + " 11/15");
  }
}
