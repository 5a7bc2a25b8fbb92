package gflow.job;

import gflow.job.TaskState.Cause;
import gflow.job.TaskState.Completing;
import gflow.job.TaskState.Ended;
import gflow.job.TaskState.Exited;
import gflow.job.TaskState.Pending;
import gflow.job.TaskState.Running;
import gflow.job.TaskState.Starting;
import java.time.Instant;
import java.util.Optional;

/**
 * The life of one task: which state follows from which event, and what is to be done. Events that a
 * state does not expect are late or repeated, and change nothing.
 */
public final class Lifecycle {
  /** Without a word of the program's end it was killed before it could leave one. */
  private static final Exit KILLED = Exit.signal(9);

  private Lifecycle() {}

  /** What to do with the task's attempt after the new state is committed. */
  public enum Action {
    NOTHING,
    LAUNCH,
    TERMINATE,
    KILL,
    DISCARD
  }

  public record Step(TaskState state, Action action) {}

  /**
   * {@code killAt} is when SIGKILL is due for what gets SIGTERM now: it counts from here, because
   * news of an end may be old when they come.
   */
  public static Step step(TaskState state, TaskEvent event, Instant killAt) {
    return switch (state) {
      case Pending pending -> pending(pending, event);
      case Starting(Attempt attempt) -> starting(state, attempt, event, killAt);
      case Running(Attempt attempt) -> active(state, attempt, event, killAt);
      case Completing completing -> completing(completing, event, killAt);
      case Ended ended -> stay(ended);
    };
  }

  private static Step pending(Pending state, TaskEvent event) {
    return switch (event) {
      case TaskEvent.Start(var allocation, String boot, var at) ->
          new Step(
              new Starting(new Attempt(state.nextAttempt(), allocation, at, boot)), Action.LAUNCH);
      case TaskEvent.Cancel(String by, var at) ->
          new Step(new Ended(Optional.empty(), cancelled(Exit.OK, by, at)), Action.NOTHING);
      case TaskEvent.Spawned e -> stay(state);
      case TaskEvent.NeverRan e -> stay(state);
      case TaskEvent.ProgramEnded e -> stay(state);
      case TaskEvent.Gone e -> stay(state);
      case TaskEvent.Requeue e -> stay(state);
      case TaskEvent.TimeUp e -> stay(state);
      case TaskEvent.KillDue e -> stay(state);
      case TaskEvent.Lost e -> stay(state);
    };
  }

  private static Step starting(TaskState state, Attempt attempt, TaskEvent event, Instant killAt) {
    return switch (event) {
      case TaskEvent.Spawned e -> new Step(new Running(attempt), Action.NOTHING);
      // The news of the spawn may be overtaken by what the process did.
      default -> active(state, attempt, event, killAt);
    };
  }

  private static Step active(TaskState state, Attempt attempt, TaskEvent event, Instant killAt) {
    return switch (event) {
      case TaskEvent.ProgramEnded(Exited exit, boolean whole) ->
          whole
              ? ended(attempt, outcome(new Cause.ProgramEnded(), exit, exit.at()))
              : terminate(attempt, new Cause.ProgramEnded(), Optional.of(exit), killAt);
      case TaskEvent.Cancel(String by, var _) ->
          terminate(attempt, new Cause.Cancelled(by), Optional.empty(), killAt);
      case TaskEvent.Requeue(String by, boolean held, var _) ->
          terminate(attempt, new Cause.Requeued(by, held), Optional.empty(), killAt);
      case TaskEvent.TimeUp _ ->
          terminate(attempt, new Cause.TimeLimit(), Optional.empty(), killAt);
      case TaskEvent.Lost(String why, var at) -> ended(attempt, lost(why, at));
      // Also of one that has a process: its wrapper may have been killed before the program ran.
      case TaskEvent.NeverRan(var blame, String why, var at) ->
          blame == TaskEvent.Blame.JOB
              ? ended(attempt, failedToStart(why, at))
              : new Step(new Pending(attempt.number() + 1), Action.DISCARD);
      case TaskEvent.Start e -> stay(state);
      case TaskEvent.Spawned e -> stay(state);
      case TaskEvent.Gone e -> stay(state);
      case TaskEvent.KillDue e -> stay(state);
    };
  }

  private static Step completing(Completing state, TaskEvent event, Instant killAt) {
    return switch (event) {
      case TaskEvent.ProgramEnded(Exited exit, boolean whole) ->
          whole
              ? ended(state.attempt(), outcome(state.cause(), exit, exit.at()))
              : new Step(
                  new Completing(
                      state.attempt(),
                      state.cause(),
                      Optional.of(state.exit().orElse(exit)),
                      state.killAt()),
                  Action.NOTHING);
      case TaskEvent.Gone(var at) -> ended(state.attempt(), gone(state, KILLED, at));
      case TaskEvent.KillDue _ ->
          new Step(
              new Completing(state.attempt(), state.cause(), state.exit(), killAt), Action.KILL);
      case TaskEvent.NeverRan(var _, String _, var at) ->
          ended(state.attempt(), gone(state, Exit.OK, at));
      case TaskEvent.Lost(String _, var at) -> ended(state.attempt(), gone(state, KILLED, at));
      case TaskEvent.Cancel(String by, var _) ->
          mayBeTriedAgain(state)
              ? new Step(
                  new Completing(
                      state.attempt(), new Cause.Cancelled(by), state.exit(), state.killAt()),
                  Action.NOTHING)
              : stay(state);
      case TaskEvent.Start e -> stay(state);
      case TaskEvent.Spawned e -> stay(state);
      case TaskEvent.Requeue e -> stay(state);
      case TaskEvent.TimeUp e -> stay(state);
    };
  }

  /** Without this one who cancels a failed task while its last processes end sees it run again. */
  private static boolean mayBeTriedAgain(Completing state) {
    return switch (state.cause()) {
      case Cause.ProgramEnded() -> !state.exit().map(e -> e.exit().ok()).orElse(false);
      case Cause.Requeued _ -> true;
      case Cause.Cancelled _, Cause.TimeLimit _ -> false;
    };
  }

  private static Outcome gone(Completing state, Exit withoutWord, Instant at) {
    Exited exit = state.exit().orElse(new Exited(withoutWord, Usage.UNKNOWN, false, at));
    return outcome(state.cause(), exit, at);
  }

  private static Outcome outcome(Cause cause, Exited exit, Instant endedAt) {
    return switch (cause) {
      case Cause.Cancelled(String by) ->
          new Outcome(JobState.CANCELLED, exit.exit(), exit.usage(), endedAt, "cancelled by " + by);
      case Cause.Requeued(String by, boolean _) ->
          new Outcome(JobState.CANCELLED, exit.exit(), exit.usage(), endedAt, "requeued by " + by);
      case Cause.TimeLimit() ->
          new Outcome(JobState.TIMEOUT, exit.exit(), exit.usage(), endedAt, "");
      case Cause.ProgramEnded() ->
          new Outcome(ownState(exit), exit.exit(), exit.usage(), endedAt, "");
    };
  }

  private static JobState ownState(Exited exit) {
    if (exit.exit().ok()) {
      return JobState.COMPLETED;
    }
    return exit.outOfMemory() ? JobState.OUT_OF_MEMORY : JobState.FAILED;
  }

  private static Step terminate(
      Attempt attempt, Cause cause, Optional<Exited> exit, Instant killAt) {
    return new Step(new Completing(attempt, cause, exit, killAt), Action.TERMINATE);
  }

  private static Step ended(Attempt attempt, Outcome outcome) {
    return new Step(new Ended(Optional.of(attempt), outcome), Action.DISCARD);
  }

  private static Outcome cancelled(Exit exit, String by, Instant at) {
    return new Outcome(JobState.CANCELLED, exit, Usage.UNKNOWN, at, "cancelled by " + by);
  }

  /** How the program would have ended nobody knows; not well, in any case. */
  private static Outcome lost(String why, Instant at) {
    return new Outcome(JobState.NODE_FAIL, Exit.code(1), Usage.UNKNOWN, at, why);
  }

  private static Outcome failedToStart(String why, Instant at) {
    return new Outcome(JobState.FAILED, Exit.code(1), Usage.UNKNOWN, at, why);
  }

  private static Step stay(TaskState state) {
    return new Step(state, Action.NOTHING);
  }
}
