package gflow.daemon.core;

import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Effect;
import gflow.job.Engine;
import gflow.job.Grace;
import gflow.job.Job;
import gflow.job.TaskState;
import gflow.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Goes on where the last daemon stopped: the queue as it was committed, and what still runs. */
public final class Recovery {
  private final List<Unfinished> unfinished = new ArrayList<>();

  /** An attempt without a committed end; {@code ending} if it was being ended. */
  private record Unfinished(
      AttemptId id, Job job, Attempt attempt, Optional<TaskState.Cause> ending) {}

  /** Fills the ledger. A job that had ended but for the daemon's death leaves at its first turn. */
  public void fill(Ledger ledger, Store.Loaded loaded, Grace grace, Instant now) {
    ledger.parents().read(loaded.jobs());
    for (Job kept : loaded.jobs()) {
      Job job = withGrace(kept, now.plus(grace.of(kept.spec())));
      ledger.put(job, now);
      job.live().forEach((offset, state) -> remember(job, offset, state));
    }
    ledger.settle();
  }

  /**
   * SIGTERM is sent again at the adoption, and nobody knows whether it was before: the time to end
   * in peace counts from now, and not from when the last daemon meant to send it.
   */
  private static Job withGrace(Job kept, Instant killAt) {
    Job job = kept;
    for (var live : kept.live().entrySet()) {
      if (live.getValue() instanceof TaskState.Completing c) {
        var ending = new TaskState.Completing(c.attempt(), c.cause(), c.exit(), killAt);
        job = job.with(live.getKey(), ending);
      }
    }
    return job;
  }

  private void remember(Job job, int offset, TaskState state) {
    Attempt.of(state)
        .ifPresent(
            attempt ->
                unfinished.add(
                    new Unfinished(
                        new AttemptId(job.task(offset), attempt.number()),
                        job,
                        attempt,
                        state instanceof TaskState.Completing c
                            ? Optional.of(c.cause())
                            : Optional.empty())));
  }

  /** The names of the attempts whose files must stay. */
  public Set<String> attempts() {
    var names = new TreeSet<String>();
    unfinished.forEach(u -> names.add(u.id().toString()));
    return names;
  }

  /** Has each looked at; one that was being ended is told so again. */
  public void adopt(Engine engine) {
    for (Unfinished u : unfinished) {
      engine.adopt(u.id(), u.job().spec(), u.attempt());
      u.ending().ifPresent(cause -> engine.run(new Effect.Terminate(u.id(), cause)));
    }
  }

  public int count() {
    return unfinished.size();
  }
}
