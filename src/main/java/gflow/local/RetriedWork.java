package gflow.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Work on an attempt that must be done, though the world's errors may stop it for now: no
 * descriptor is left, a disk does not answer. It is tried again at growing distances, on a thread
 * of its own, so nobody else waits for it.
 */
final class RetriedWork implements AutoCloseable {
  private static final Logger LOG = System.getLogger("gflow.local");
  private static final Duration FIRST = Duration.ofMillis(50);
  private static final Duration LONGEST = Duration.ofSeconds(5);

  private volatile boolean closed;

  /** {@code tries}: how often it was stopped before. */
  interface Work {
    void run(int tries) throws IOException;
  }

  /** Here at first, and elsewhere if that fails. */
  void here(String what, Work work) {
    if (!done(what, work, 0)) {
      Thread.ofVirtual().start(() -> goOn(what, work, 1));
    }
  }

  /** Elsewhere from the beginning: it may last. */
  void apart(String what, Work work) {
    Thread.ofVirtual().start(() -> goOn(what, work, 0));
  }

  private void goOn(String what, Work work, int before) {
    int tries = before;
    Duration pause = FIRST;
    while (!closed && !done(what, work, tries)) {
      tries++;
      LockSupport.parkNanos(pause.toNanos());
      pause = pause.multipliedBy(2).compareTo(LONGEST) < 0 ? pause.multipliedBy(2) : LONGEST;
    }
  }

  private static boolean done(String what, Work work, int tries) {
    try {
      work.run(tries);
      return true;
    } catch (IOException e) {
      LOG.log(Level.WARNING, what + " failed, trying again: " + e.getMessage());
    } catch (UncheckedIOException e) {
      LOG.log(Level.WARNING, what + " failed, trying again: " + e.getCause().getMessage());
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, what + " failed, trying again", e);
    }
    return false;
  }

  @Override
  public void close() {
    closed = true;
  }
}
