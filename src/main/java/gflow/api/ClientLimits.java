package gflow.api;

import java.time.Duration;

/** What one client may take from the others. */
record ClientLimits(Duration idle, Duration keepAlive, int body) {
  private static final int LARGEST_BODY = 64 << 20;

  /** A body is never more than an eighth of the heap: it is read, parsed and judged. */
  static final ClientLimits DEFAULT =
      new ClientLimits(
          Duration.ofMinutes(1),
          Duration.ofSeconds(15),
          (int) Math.min(LARGEST_BODY, Runtime.getRuntime().maxMemory() / 8));
}
