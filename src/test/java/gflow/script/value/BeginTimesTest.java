package gflow.script.value;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.script.Refusal;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BeginTimesTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  /** 14:30 in Berlin, a Sunday in winter. */
  private static final Instant NOW = Instant.parse("2026-11-15T13:30:00Z");

  @ParameterizedTest
  @CsvSource({
    "now, 2026-11-15T13:30:00Z",
    "16:00, 2026-11-15T15:00:00Z",
    "08:15:30, 2026-11-16T07:15:30Z",
    "14:30, 2026-11-16T13:30:00Z",
    "4:00pm, 2026-11-15T15:00:00Z",
    "12:05 AM, 2026-11-15T23:05:00Z",
    "noon, 2026-11-16T11:00:00Z",
    "midnight, 2026-11-15T23:00:00Z",
    "teatime, 2026-11-15T15:00:00Z",
    "fika, 2026-11-15T14:00:00Z",
    "noon-tomorrow, 2026-11-16T11:00:00Z",
    "08:30 12/24, 2026-12-24T07:30:00Z",
    "010130, 2029-12-31T23:00:00Z",
    "1120, 2026-11-19T23:00:00Z",
    "01.02.30, 2030-01-01T23:00:00Z",
    "tomorrow, 2026-11-15T23:00:00Z",
    "tomorrow 09:00, 2026-11-16T08:00:00Z",
    "tomorrowT09:00, 2026-11-16T08:00:00Z",
    "today 15:00, 2026-11-15T14:00:00Z",
    "now+1hour, 2026-11-15T14:30:00Z",
    "now+30minutes, 2026-11-15T14:00:00Z",
    "now + 90, 2026-11-15T13:31:30Z",
    "now+2days, 2026-11-17T13:30:00Z",
    "now+1week, 2026-11-22T13:30:00Z",
    "+10m, 2026-11-15T13:40:00Z",
    "+2h, 2026-11-15T15:30:00Z",
    "2026-12-01, 2026-11-30T23:00:00Z",
    "2026-07-01T08:00, 2026-07-01T06:00:00Z",
    "2026-12-01 08:00:05, 2026-12-01T07:00:05Z",
    "2026-12-01T08:00:00Z, 2026-12-01T08:00:00Z",
    "2026-12-01T08:00:00+02:00, 2026-12-01T06:00:00Z",
    "11/20, 2026-11-19T23:00:00Z",
    "01/02, 2027-01-01T23:00:00Z",
    "12/24/27-18:00, 2027-12-24T17:00:00Z",
  })
  void a_time_is_read(String text, Instant begin) throws BadInput {
    assertThat(BeginTimes.parse(text, NOW, BERLIN)).isEqualTo(begin);
  }

  @ParameterizedTest
  @CsvSource({
    "00:00, 2026-11-14T23:00:00Z",
    "noon, 2026-11-15T11:00:00Z",
    "23:00, 2026-11-15T22:00:00Z",
    "11/14, 2026-11-13T23:00:00Z",
    "12/24, 2025-12-23T23:00:00Z",
    "111426, 2026-11-13T23:00:00Z",
  })
  void of_what_has_been_a_time_is_of_today_and_a_day_the_last(String text, Instant time)
      throws BadInput {
    assertThat(BeginTimes.past(text, NOW, BERLIN)).isEqualTo(time);
  }

  @Test
  void the_next_occurrence_minds_the_change_to_summer_time() throws BadInput {
    Instant before = Instant.parse("2026-03-28T20:00:00Z");

    assertThat(BeginTimes.parse("08:00", before, BERLIN))
        .isEqualTo(Instant.parse("2026-03-29T06:00:00Z"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "soon",
        "25:00",
        "8",
        "8:5",
        "13:00pm",
        "now+1fortnight",
        "now-1h",
        "2026-13-01",
        "2026-02-30T08:00",
        "2026-12-01T25:00",
        "13/45",
        "tomorrow noonish",
        "1/2/3/4"
      })
  void what_is_no_time_is_refused(String text) {
    Refusal.of(
        () -> BeginTimes.parse(text, NOW, BERLIN),
        "begin '"
            + text
            + "' is no time; write 16:00, tomorrow, noon, now+1hour, +10m, 2026-11-15T08:00 or"
            + " 11/15");
  }

  @Test
  void what_nobody_lives_to_see_is_refused() {
    Refusal.of(
        () -> BeginTimes.parse("now+9999999weeks", NOW, BERLIN),
        "begin 'now+9999999weeks' is after the year 9999; write a nearer time");
  }

  @Test
  void a_bare_plus_needs_a_unit() {
    Refusal.of(
        () -> BeginTimes.parse("+10", NOW, BERLIN),
        "begin '+10' has no unit; write +10m or the like");
  }
}
