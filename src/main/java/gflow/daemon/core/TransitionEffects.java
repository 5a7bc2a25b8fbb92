package gflow.daemon.core;

import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Effect;
import gflow.job.Job;
import gflow.job.JobState;
import gflow.job.Lifecycle;
import gflow.job.Outcome;
import gflow.job.TaskId;
import gflow.job.TaskState;
import java.time.Instant;
import java.util.Optional;

/** What follows from the step of a task from one state to the next. */
final class TransitionEffects {
  private TransitionEffects() {}

  /** Whether the attempt came to nothing by no fault of its own: it never ran, or was lost. */
  static boolean spares(TaskState result) {
    return switch (result) {
      case TaskState.Pending _ -> true;
      case TaskState.Ended(var attempt, var outcome) -> outcome.state() == JobState.NODE_FAIL;
      case TaskState.Starting _, TaskState.Running _, TaskState.Completing _ -> false;
    };
  }

  /** Whether the job's own row changes: what a running attempt does stands in its record. */
  static boolean isDurable(TaskState after) {
    return switch (after) {
      case TaskState.Running _, TaskState.Completing _ -> false;
      case TaskState.Pending _, TaskState.Starting _, TaskState.Ended _ -> true;
    };
  }

  /** Whether it shall run again because somebody wants it so, and then whether it is held. */
  static Optional<Boolean> requeued(TaskState before) {
    return before instanceof TaskState.Completing c
            && c.cause() instanceof TaskState.Cause.Requeued(String _, boolean held)
        ? Optional.of(held)
        : Optional.empty();
  }

  /** No end is before its start, nor in the future, whatever became of the clock. */
  static Lifecycle.Step inTime(Lifecycle.Step step, Instant now) {
    if (!(step.state() instanceof TaskState.Ended(var attempt, Outcome outcome))
        || attempt.isEmpty()) {
      return step;
    }
    Instant end = Outcome.end(attempt.get().startedAt(), outcome.endedAt(), now);
    return new Lifecycle.Step(new TaskState.Ended(attempt, outcome.at(end)), step.action());
  }

  static Optional<Effect> effect(Job job, TaskId task, TaskState before, Lifecycle.Step step) {
    Optional<Attempt> attempt = Attempt.of(step.state()).or(() -> Attempt.of(before));
    return attempt.flatMap(
        a -> {
          var id = new AttemptId(task, a.number());
          return switch (step.action()) {
            case NOTHING -> Optional.<Effect>empty();
            case LAUNCH ->
                Optional.of(new Effect.Launch(id, job.spec(), a.allocation(), a.startedAt()));
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
