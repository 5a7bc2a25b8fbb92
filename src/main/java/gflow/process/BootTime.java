package gflow.process;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** The time since the machine started, asleep or not: a clock that nobody can set. */
public final class BootTime {
  private static final int CLOCK_BOOTTIME = 7;

  private BootTime() {}

  /** Shows the time, and goes on from here whoever sets the machine's clock. */
  public static InstantSource steady() {
    Instant zero = Instant.now().minus(now());
    return () -> zero.plus(now());
  }

  public static Duration now() {
    try (var arena = Arena.ofConfined()) {
      var time = arena.allocate(JAVA_LONG, 2);
      int result = Libc.call("clock_gettime", CLOCK_BOOTTIME, time.address());
      if (result < 0) {
        throw new IllegalStateException("clock_gettime: " + Libc.text(result));
      }
      return Duration.ofSeconds(time.getAtIndex(JAVA_LONG, 0), time.getAtIndex(JAVA_LONG, 1));
    }
  }
}
