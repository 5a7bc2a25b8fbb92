package gflow.job;

import gflow.job.TaskState.Cause;
import gflow.job.TaskState.Completing;
import gflow.job.TaskState.Ended;
import gflow.job.TaskState.Exited;
import gflow.job.TaskState.Pending;
import gflow.job.TaskState.Queued;
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

  /** {@code over}: how the task's attempt ended, if this step ends it; and how it goes on. */
  public record Transition(
      TaskState state, Action action, Optional<Outcome> over, RetryRules.Again again) {}

  /**
   * What the next state depends on besides. {@code killAt} is when SIGKILL is due for what gets
   * SIGTERM now: it counts from here, because news of an end may be old when they come.
   */
  public record Rules(Instant now, Instant killAt, RetryRules retries, GpuCompany company) {}

  /**
   * What is known of the GPUs of an attempt. {@code shared}: others could use memory there; {@code
   * fault}: what was wrong with one of them while it ran.
   */
  public record GpuCompany(boolean shared, Optional<GpuFault> fault) {
    public static final GpuCompany NONE = new GpuCompany(false, Optional.empty());
  }

  public static Transition next(TaskState state, TaskEvent event, Rules rules) {
    return switch (state) {
      case Pending pending -> pending(pending, event);
      case Starting(Attempt attempt) -> starting(state, attempt, event, rules);
      case Queued(Attempt attempt) -> queued(state, attempt, event, rules);
      case Running(Attempt attempt) -> active(state, attempt, event, rules);
      case Completing completing -> completing(completing, event, rules);
      case Ended ended -> stay(ended);
    };
  }

  private static Transition pending(Pending state, TaskEvent event) {
    return switch (event) {
      case TaskEvent.Start(var allocation, Where where, var at) ->
          goTo(
              new Starting(new Attempt(state.nextAttempt(), allocation, at, where)), Action.LAUNCH);
      case TaskEvent.Cancel(String by, var at) ->
          goTo(new Ended(Optional.empty(), cancelled(Exit.OK, by, at)), Action.NOTHING);
      case TaskEvent.Queued e -> stay(state);
      case TaskEvent.Spawned e -> stay(state);
      case TaskEvent.NeverRan e -> stay(state);
      case TaskEvent.ProgramEnded e -> stay(state);
      case TaskEvent.Gone e -> stay(state);
      case TaskEvent.Requeue e -> stay(state);
      case TaskEvent.TimeUp e -> stay(state);
      case TaskEvent.GpuMemoryExceeded e -> stay(state);
      case TaskEvent.KillDue e -> stay(state);
      case TaskEvent.Lost e -> stay(state);
    };
  }

  private static Transition starting(
      TaskState state, Attempt attempt, TaskEvent event, Rules rules) {
    return switch (event) {
      case TaskEvent.Queued(String id, var _) when attempt.where() instanceof Where.There ->
          goTo(new Queued(attempt.queued(id)), Action.NOTHING);
      case TaskEvent.Spawned(var at) ->
          goTo(new Running(attempt.spawned(at, rules.now())), Action.NOTHING);
      // The news of the spawn may be overtaken by what the process did.
      default -> active(state, attempt, event, rules);
    };
  }

  /** Its time has not begun. */
  private static Transition queued(TaskState state, Attempt attempt, TaskEvent event, Rules rules) {
    return event instanceof TaskEvent.TimeUp ? stay(state) : starting(state, attempt, event, rules);
  }

  private static Transition active(TaskState state, Attempt attempt, TaskEvent event, Rules rules) {
    return switch (event) {
      case TaskEvent.ProgramEnded(Exited exit, boolean whole) ->
          whole
              ? over(attempt, outcome(new Cause.ProgramEnded(), exit, exit.at()), rules)
              : terminate(attempt, new Cause.ProgramEnded(), Optional.of(exit), rules.killAt());
      case TaskEvent.Cancel(String by, var _) ->
          terminate(attempt, new Cause.Cancelled(by), Optional.empty(), rules.killAt());
      case TaskEvent.Requeue(String by, boolean held, var _) ->
          terminate(attempt, new Cause.Requeued(by, held), Optional.empty(), rules.killAt());
      case TaskEvent.TimeUp _ ->
          terminate(attempt, new Cause.TimeLimit(), Optional.empty(), rules.killAt());
      case TaskEvent.GpuMemoryExceeded(String words, var _) ->
          terminate(attempt, new Cause.GpuMemory(words), Optional.empty(), rules.killAt());
      case TaskEvent.Lost(String why, var at) -> over(attempt, lost(why, at), rules);
      // Also of one that has a process: its wrapper may have been killed before the program ran.
      case TaskEvent.NeverRan(var blame, String why, var at) ->
          blame == TaskEvent.Blame.JOB
              ? over(attempt, failedToStart(why, at), rules)
              : undone(attempt);
      case TaskEvent.Start e -> stay(state);
      case TaskEvent.Queued e -> stay(state);
      case TaskEvent.Spawned e -> stay(state);
      case TaskEvent.Gone e -> stay(state);
      case TaskEvent.KillDue e -> stay(state);
    };
  }

  private static Transition completing(Completing state, TaskEvent event, Rules rules) {
    return switch (event) {
      case TaskEvent.ProgramEnded(Exited exit, boolean whole) ->
          whole
              ? over(state, outcome(state.cause(), exit, exit.at()), rules)
              : goTo(
                  new Completing(
                      state.attempt(),
                      state.cause(),
                      Optional.of(state.exit().orElse(exit)),
                      state.killAt()),
                  Action.NOTHING);
      case TaskEvent.Gone(var at) -> over(state, gone(state, KILLED, at), rules);
      case TaskEvent.KillDue _ ->
          goTo(
              new Completing(state.attempt(), state.cause(), state.exit(), rules.killAt()),
              Action.KILL);
      case TaskEvent.NeverRan(var _, String _, var at) ->
          over(state, gone(state, Exit.OK, at), rules);
      case TaskEvent.Lost(String _, var at) -> over(state, gone(state, KILLED, at), rules);
      case TaskEvent.Cancel(String by, var _) ->
          mayBeTriedAgain(state, rules)
              ? goTo(
                  new Completing(
                      state.attempt(), new Cause.Cancelled(by), state.exit(), state.killAt()),
                  Action.NOTHING)
              : stay(state);
      case TaskEvent.Start e -> stay(state);
      case TaskEvent.Queued e -> stay(state);
      case TaskEvent.Spawned e -> stay(state);
      case TaskEvent.Requeue e -> stay(state);
      case TaskEvent.TimeUp e -> stay(state);
      case TaskEvent.GpuMemoryExceeded e -> stay(state);
    };
  }

  /** Without this one who cancels a failed task while its last processes end sees it run again. */
  private static boolean mayBeTriedAgain(Completing state, Rules rules) {
    return switch (state.cause()) {
      case Cause.ProgramEnded() -> !state.exit().map(e -> e.exit().ok()).orElse(false);
      case Cause.Requeued _ -> true;
      case Cause.TimeLimit() -> rules.retries().on().contains(RetryOn.TIMEOUT);
      case Cause.GpuMemory _ -> rules.retries().on().contains(RetryOn.OOM);
      case Cause.Cancelled _ -> false;
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
      case Cause.GpuMemory(String words) ->
          new Outcome(JobState.OUT_OF_MEMORY, exit.exit(), exit.usage(), endedAt, "")
              .because(Failure.GPU_MEMORY_LIMIT, words);
      case Cause.ProgramEnded() ->
          new Outcome(ownState(exit), exit.exit(), exit.usage(), endedAt, exit.note(), told(exit));
    };
  }

  /** Of one that ended well nobody asks why. */
  private static Optional<Failure> told(Exited exit) {
    return exit.exit().ok() || exit.outOfMemory() ? Optional.empty() : exit.told();
  }

  private static JobState ownState(Exited exit) {
    if (exit.exit().ok()) {
      return JobState.COMPLETED;
    }
    return exit.outOfMemory() ? JobState.OUT_OF_MEMORY : JobState.FAILED;
  }

  private static Transition terminate(
      Attempt attempt, Cause cause, Optional<Exited> exit, Instant killAt) {
    return goTo(new Completing(attempt, cause, exit, killAt), Action.TERMINATE);
  }

  /** One that somebody wants to run again does so, however its attempt ended. */
  private static Transition over(Completing state, Outcome outcome, Rules rules) {
    return state.cause() instanceof Cause.Requeued(String _, boolean held)
        ? again(
            state.attempt(), outcome, rules, held ? RetryRules.Again.HELD : RetryRules.Again.SPARED)
        : over(state.attempt(), outcome, rules);
  }

  private static Transition over(Attempt attempt, Outcome outcome, Rules rules) {
    Outcome end = inTime(attempt, GpuFailures.explained(outcome, attempt, rules), rules);
    return end.cause()
        .flatMap(cause -> rules.retries().after(cause, rules.company().shared(), rules.now()))
        .map(how -> again(attempt, end, rules, how))
        .orElse(
            new Transition(
                new Ended(Optional.of(attempt), end),
                Action.DISCARD,
                Optional.of(end),
                RetryRules.Again.AT_ONCE));
  }

  private static Transition again(
      Attempt attempt, Outcome outcome, Rules rules, RetryRules.Again how) {
    return new Transition(
        new Pending(attempt.number() + 1),
        Action.DISCARD,
        Optional.of(inTime(attempt, outcome, rules)),
        how);
  }

  private static Transition undone(Attempt attempt) {
    return new Transition(
        new Pending(attempt.number() + 1),
        Action.DISCARD,
        Optional.empty(),
        RetryRules.Again.SPARED);
  }

  /** No end is before its start, nor in the future, whatever became of the clock. */
  private static Outcome inTime(Attempt attempt, Outcome outcome, Rules rules) {
    return outcome.at(Outcome.end(attempt.startedAt(), outcome.endedAt(), rules.now()));
  }

  private static Transition goTo(TaskState state, Action action) {
    return new Transition(state, action, Optional.empty(), RetryRules.Again.AT_ONCE);
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

  private static Transition stay(TaskState state) {
    return goTo(state, Action.NOTHING);
  }
}
