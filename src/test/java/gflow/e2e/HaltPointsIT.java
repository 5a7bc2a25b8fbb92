package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.local.HaltPoints.Point;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * The daemon stops dead at each named step of starting and ending a job. The next one recovers and
 * has its own step to stop at, also in the middle of that recovery.
 */
class HaltPointsIT {
  private static final Duration BETWEEN = Duration.ofMillis(150);

  private Process starting;

  @Test
  void a_stop_at_any_step_loses_nothing_and_runs_nothing_twice() throws Exception {
    try (var lab = new Lab();
        var threads = Executors.newSingleThreadExecutor()) {
      var workload = new Workload(lab, 20261116);
      nextHalt(lab, "");
      lab.set("GFLOW_HALT_AT", lab.work().resolve("halt").toString());
      starting = start(lab);
      var enough = new AtomicBoolean();
      var submitting =
          threads.submit(
              () -> {
                while (!enough.get()) {
                  workload.submit();
                  LockSupport.parkNanos(BETWEEN.toNanos());
                }
              });
      try (AutoCloseable _ = () -> enough.set(true)) {
        for (int pass : new int[] {1, 3}) {
          for (Point point : Point.values()) {
            haltAt(lab, point.name().toLowerCase(Locale.ROOT) + ":" + pass, submitting);
          }
        }
      } catch (AssertionError e) {
        // What the other thread met comes first.
        submitting.get();
        throw e;
      }
      nextHalt(lab, "");
      lab.up();
      submitting.get();
      lab.awaitIdle();
      workload.check(Set.of());
    }
  }

  private void haltAt(Lab lab, String point, Future<?> submitting) throws IOException {
    nextHalt(lab, point);
    lab.await(
        "a halt at " + point,
        () -> {
          if (lab.daemonLog().contains("halted at " + point + "\n")) {
            return true;
          }
          assertThat(submitting.state()).as("jobs go on coming").isEqualTo(Future.State.RUNNING);
          if (lab.daemon().isEmpty() && !starting.isAlive()) {
            starting = start(lab);
          }
          return false;
        });
  }

  /** Not waited for: what it starts may well end before it is ready, again and again. */
  private static Process start(Lab lab) {
    try {
      return lab.start("gflowd", "up");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** For the next daemon, whoever starts it: we, its guard or a submission. */
  private static void nextHalt(Lab lab, String point) throws IOException {
    Path next = lab.write(lab.work().resolve("halt.next"), point);
    Files.move(next, lab.work().resolve("halt"), StandardCopyOption.ATOMIC_MOVE);
    // One that has read the file before that may have no halt before it any more.
    lab.killOnlyDaemon();
  }
}
