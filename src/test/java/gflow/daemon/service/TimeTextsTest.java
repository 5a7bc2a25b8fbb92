package gflow.daemon.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimeTextsTest {
  @Test
  void times_are_written_as_the_library_writes_them() {
    var random = new Random(20261118);
    for (String name : List.of("UTC", "Europe/Prague", "Asia/Kolkata")) {
      ZoneId zone = ZoneId.of(name);
      var times = new TimeTexts(zone);
      for (int i = 0; i < 2000; i++) {
        // Near the hour at which a summer begins; in pairs of the same second, some of them whole.
        Instant second = Instant.parse("2026-03-29T01:00:00Z").plusSeconds(random.nextInt(-90, 90));
        for (long millis : List.of(random.nextLong(1000), 0L, 7L)) {
          Instant at = second.plusMillis(millis).plusNanos(random.nextInt(1_000_000));
          assertThat(times.of(at))
              .isEqualTo(
                  OffsetDateTime.ofInstant(at.truncatedTo(ChronoUnit.MILLIS), zone).toString());
        }
      }
    }
  }
}
