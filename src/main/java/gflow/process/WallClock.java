package gflow.process;

import java.lang.foreign.Arena;

/** The clock that people and programs set. */
public final class WallClock {
  /** More than the kernel's struct timex has. */
  private static final int TIMEX = 256;

  private static final int TIME_ERROR = 5;

  private WallClock() {}

  /** Whether something keeps it right, as NTP does: the kernel knows. */
  public static boolean isKept() {
    try (var arena = Arena.ofConfined()) {
      // All zero: it only asks.
      var nothing = arena.allocate(TIMEX, 8);
      int state = Libc.call("adjtimex", nothing.address());
      return state >= 0 && state != TIME_ERROR;
    }
  }
}
