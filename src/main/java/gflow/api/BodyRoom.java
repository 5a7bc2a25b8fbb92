package gflow.api;

import gflow.api.ApiReply.Problem;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The memory that all bodies may take together, with what they become once they are read: a part of
 * the heap, because the jobs of all need the rest.
 */
final class BodyRoom {
  private static final int STEP = 64 << 10;
  private static final int PATIENCE = 10;

  private final Semaphore steps;
  private final int all;

  BodyRoom(long bytes) {
    all = Math.toIntExact(bytes / STEP);
    steps = new Semaphore(all);
  }

  static BodyRoom ofThisProcess() {
    return new BodyRoom(Runtime.getRuntime().maxMemory() / 4);
  }

  /** What one request has taken; given back when it was answered. */
  final class Share implements AutoCloseable {
    private long bytes;
    private int held;

    void take(long more) throws Problem {
      bytes += more;
      long need = bytes / STEP + 1;
      if (need > all) {
        throw new Problem(
            413,
            "the body takes more memory than gflowd has for it: send less at a time, or start it"
                + " with GFLOW_JAVA_OPTIONS=-Xmx1g");
      }
      if (need > held) {
        wait((int) need - held);
      }
    }

    private void wait(int more) throws Problem {
      try {
        if (steps.tryAcquire(more, PATIENCE, TimeUnit.SECONDS)) {
          held += more;
          return;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      throw new Problem(503, "gflowd is busy with other large bodies; try again");
    }

    @Override
    public void close() {
      steps.release(held);
      held = 0;
    }
  }
}
