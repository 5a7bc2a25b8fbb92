package gflow.local;

import gflow.job.AttemptId;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** What is done with attempts some time after their start, on a thread of its own. */
final class Afterwards implements AutoCloseable {
  private static final Duration ENCLOSE_AFTER = Duration.ofMillis(100);
  private static final Duration FIRST_LOOK = Duration.ofMillis(500);
  private static final Duration SELDOM = Duration.ofSeconds(30);

  private final RetriedWork again;
  private final Map<AttemptId, RunningAttempt> runs;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("gflow-cgroups").daemon().factory());

  /** {@code runs}: those that are not over. */
  Afterwards(RetriedWork again, Map<AttemptId, RunningAttempt> runs) {
    this.again = again;
    this.runs = runs;
  }

  /** Most tiny jobs are over by then, and none has waited for the kernel. */
  void enclose(RunningAttempt run) {
    Runnable enclose = () -> again.here("to enclose a job", _ -> run.group().enclose());
    var _ = timer.schedule(enclose, ENCLOSE_AFTER.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** How large it becomes; more and more seldom, as Slurm does it from the start. */
  void lookAt(AttemptId id, RunningAttempt run) {
    lookAt(id, run, FIRST_LOOK);
  }

  private void lookAt(AttemptId id, RunningAttempt run, Duration pause) {
    Runnable look =
        () -> {
          if (run.equals(runs.get(id))) {
            again.here("to look at " + id, _ -> run.group().look());
            Duration longer = pause.multipliedBy(2);
            lookAt(id, run, longer.compareTo(SELDOM) < 0 ? longer : SELDOM);
          }
        };
    var _ = timer.schedule(look, pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
