package gflow.door;

import java.util.concurrent.locks.LockSupport;

/**
 * Waits between two looks, longer each time. A virtual thread that waits so holds no carrier, which
 * a read or write of a slow caller's pipe would.
 */
final class Backoff {
  private static final long LONGEST = 50_000_000;
  private long nanos = 50_000;

  void rest() {
    LockSupport.parkNanos(nanos);
    nanos = Math.min(nanos * 2, LONGEST);
  }
}
