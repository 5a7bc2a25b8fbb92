package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * The heart of the suite: the daemon is killed again and again while jobs are submitted, run, are
 * cancelled and run out of time.
 */
class CrashIT {
  private static final long SEED = Long.getLong("crash.seed", 20261115);
  private static final int JOBS = 300;
  private static final int KILLS = 30;

  @Test
  void thirty_kills_lose_nothing_and_run_nothing_twice() throws Exception {
    try (var lab = new Lab();
        var threads = Executors.newSingleThreadExecutor()) {
      var workload = new Workload(lab, SEED + 1);
      lab.up();
      var random = new Random(SEED);
      var submitting =
          threads.submit(
              () -> {
                for (int i = 0; i < JOBS; i++) {
                  workload.submit();
                }
              });
      for (int kill = 0; kill < KILLS; kill++) {
        LockSupport.parkNanos(Duration.ofMillis(50 + random.nextInt(900)).toNanos());
        if (random.nextBoolean()) {
          lab.killOnlyDaemon();
        } else {
          lab.killDaemon();
        }
        lab.up();
      }
      submitting.get();
      lab.awaitIdle();
      assertThat(workload.size()).isEqualTo(JOBS);
      workload.check();
    }
  }
}
