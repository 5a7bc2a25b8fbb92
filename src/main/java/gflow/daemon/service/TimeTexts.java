package gflow.daemon.service;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;

/**
 * Times as ISO-8601 with offset, to the millisecond. Most times in a list are of the same second as
 * the one before, and to find the date of a second takes longest.
 */
final class TimeTexts {
  private final ZoneId zone;
  private volatile Second last;

  /** The text of a whole second, and what stands around its milliseconds. */
  private record Second(long at, String whole, String before, String after) {
    static Second of(long at, ZoneId zone) {
      var time = OffsetDateTime.ofInstant(Instant.ofEpochSecond(at), zone);
      String local = time.toLocalDateTime().toString();
      String before = time.getSecond() == 0 ? local + ":00." : local + ".";
      return new Second(at, time.toString(), before, time.getOffset().toString());
    }
  }

  TimeTexts(ZoneId zone) {
    this.zone = zone;
    last = Second.of(0, zone);
  }

  String of(Instant at) {
    Second second = last;
    if (second.at() != at.getEpochSecond()) {
      second = Second.of(at.getEpochSecond(), zone);
      last = second;
    }
    int millis = at.getNano() / 1_000_000;
    return millis == 0
        ? second.whole()
        : second.before() + Integer.toString(1000 + millis).substring(1) + second.after();
  }
}
