package gflow.daemon.core;

import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Effect;
import gflow.job.Job;
import gflow.job.Lifecycle;
import gflow.job.Outcome;
import gflow.job.TaskId;
import gflow.job.TaskState;
import gflow.store.Change;
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

  /** What must last of it. That a program ended by itself stands in the attempt's record. */
  static Optional<Change> change(TaskId task, TaskState before, Lifecycle.Transition transition) {
    return switch (transition.state()) {
      case TaskState.Starting(Attempt attempt) ->
          Optional.of(new Change.AttemptStarted(id(task, attempt), attempt));
      case TaskState.Queued(Attempt attempt) ->
          Optional.of(new Change.AttemptMoved(id(task, attempt), attempt));
      case TaskState.Running(Attempt attempt) ->
          Attempt.of(before)
              .filter(known -> !known.equals(attempt))
              .map(_ -> new Change.AttemptMoved(id(task, attempt), attempt));
      case TaskState.Completing c when c.cause() instanceof TaskState.Cause.ProgramEnded ->
          Optional.empty();
      case TaskState.Completing c ->
          Optional.of(new Change.AttemptEnding(id(task, c.attempt()), c.cause(), c.killAt()));
      case TaskState.Pending _, TaskState.Ended _ ->
          Attempt.of(before).map(attempt -> over(id(task, attempt), attempt, transition.over()));
    };
  }

  /** One without an outcome never was. */
  private static Change over(AttemptId id, Attempt attempt, Optional<Outcome> outcome) {
    return outcome
        .<Change>map(how -> new Change.AttemptEnded(id, attempt, how))
        .orElse(new Change.AttemptUndone(id));
  }

  static AttemptId id(TaskId task, Attempt attempt) {
    return new AttemptId(task, attempt.number());
  }

  static Optional<Effect> effect(
      Job job, TaskId task, TaskState before, Lifecycle.Transition transition) {
    Optional<Attempt> attempt = Attempt.of(transition.state()).or(() -> Attempt.of(before));
    return attempt.flatMap(
        a -> {
          AttemptId id = id(task, a);
          return switch (transition.action()) {
            case NOTHING -> Optional.<Effect>empty();
            case LAUNCH -> Optional.of(new Effect.Launch(id, job.spec(), a));
            case TERMINATE ->
                transition.state() instanceof TaskState.Completing c
                    ? Optional.of(new Effect.Terminate(id, c.cause()))
                    : Optional.empty();
            case KILL -> Optional.of(new Effect.Kill(id));
            case DISCARD -> Optional.of(new Effect.Discard(id));
          };
        });
  }
}
