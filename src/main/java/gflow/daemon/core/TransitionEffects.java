package gflow.daemon.core;

import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Effect;
import gflow.job.Job;
import gflow.job.Lifecycle;
import gflow.job.TaskId;
import gflow.job.TaskState;
import java.util.Optional;

/** What follows from the step of a task from one state to the next. */
final class TransitionEffects {
  private TransitionEffects() {}

  /** Whether the job's own row changes: what a running attempt does stands in its record. */
  static boolean isDurable(TaskState after) {
    return switch (after) {
      case TaskState.Queued _, TaskState.Running _, TaskState.Completing _ -> false;
      case TaskState.Pending _, TaskState.Starting _, TaskState.Ended _ -> true;
    };
  }

  static Optional<Effect> effect(Job job, TaskId task, TaskState before, Lifecycle.Step step) {
    Optional<Attempt> attempt = Attempt.of(step.state()).or(() -> Attempt.of(before));
    return attempt.flatMap(
        a -> {
          var id = new AttemptId(task, a.number());
          return switch (step.action()) {
            case NOTHING -> Optional.<Effect>empty();
            case LAUNCH -> Optional.of(new Effect.Launch(id, job.spec(), a));
            case TERMINATE ->
                step.state() instanceof TaskState.Completing c
                    ? Optional.of(new Effect.Terminate(id, c.cause()))
                    : Optional.empty();
            case KILL -> Optional.of(new Effect.Kill(id));
            case DISCARD -> Optional.of(new Effect.Discard(id));
          };
        });
  }
}
