package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.local.HaltPoints.Point;
import java.time.Duration;
import java.util.Locale;
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

  @Test
  void a_stop_at_any_step_loses_nothing_and_runs_nothing_twice() throws Exception {
    try (var lab = new Lab();
        var threads = Executors.newSingleThreadExecutor()) {
      var workload = new Workload(lab, 20261116);
      lab.up();
      lab.killDaemon();
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
      // The last one may still have a halt before it.
      if (lab.daemon().isPresent()) {
        lab.killDaemon();
      }
      lab.up();
      submitting.get();
      lab.awaitIdle();
      workload.check();
    }
  }

  private static void haltAt(Lab lab, String point, Future<?> submitting) {
    String variable = "GFLOW_HALT_AT=" + point;
    lab.await(
        "a halt at " + point,
        () -> {
          if (lab.daemonLog().contains("halted at " + point + "\n")) {
            return true;
          }
          assertThat(submitting.state()).as("jobs go on coming").isEqualTo(Future.State.RUNNING);
          if (lab.daemon().isEmpty()) {
            // It may well end before it is ready.
            lab.runWith(variable, "gflowd", "up");
          } else if (!lab.daemonHas(variable)) {
            // A submission that found none has started one of its own.
            lab.killDaemon();
          }
          return false;
        });
  }
}
