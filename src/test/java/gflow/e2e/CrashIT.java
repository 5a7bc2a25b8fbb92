package gflow.e2e;

import gflow.LongRuns;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * The heart of the suite: the daemon is killed again and again, alone or with its guard, under
 * every kind of work. {@code make crashes KILLS=300} does it for longer.
 */
class CrashIT {
  private static final long SEED = Long.getLong("crash.seed", 20261115);
  private static final int MOST_ROWS = 25;
  private static final int KILLS = Integer.getInteger("crash.kills", 12);

  @Test
  void kills_lose_nothing_and_run_nothing_twice() throws Exception {
    try (var lab = new Lab();
        var threads = Executors.newFixedThreadPool(2)) {
      lab.up();
      var jobs = new Workload(lab, SEED + 1);
      var mixed = new MixedWork(lab, SEED + 2);
      var over = new AtomicBoolean();
      Future<?> submitting = threads.submit(() -> repeat(lab, jobs::submit, over));
      Future<?> mixing = threads.submit(() -> repeat(lab, mixed::next, over));
      try {
        kill(lab);
      } finally {
        over.set(true);
      }
      submitting.get();
      mixing.get();
      mixed.awaitMaps();
      lab.awaitIdle();
      jobs.check(mixed.jobs());
      mixed.check();
      String result =
          "%d kills (seed %d): %d jobs, %s; nothing lost, doubled or wrong"
              .formatted(KILLS, SEED, jobs.size(), mixed);
      System.out.println(result);
      LongRuns.note("make crashes KILLS=%d SEED=%d".formatted(KILLS, SEED), result);
    }
  }

  /** Not too many wait at once, else the last of them would run long after the last kill. */
  private static void repeat(Lab lab, Runnable work, AtomicBoolean over) {
    while (!over.get()) {
      if (lab.run("gqueue", "-h").lines().size() < MOST_ROWS) {
        work.run();
      } else {
        LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
      }
    }
  }

  private static void kill(Lab lab) {
    var random = new Random(SEED);
    for (int kill = 0; kill < KILLS; kill++) {
      LockSupport.parkNanos(Duration.ofMillis(50 + random.nextInt(1200)).toNanos());
      if (random.nextBoolean()) {
        lab.killOnlyDaemon();
      } else {
        lab.killDaemon();
      }
      lab.up();
    }
  }
}
