package gflow.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Where a task is. Each state holds the facts that are true in it. */
public sealed interface TaskState {
  /** Waits for its turn; {@code nextAttempt} is 1 for a task that never started. */
  record Pending(int nextAttempt) implements TaskState {}

  /** Resources are given and committed; whether a process exists is not known yet. */
  record Starting(Attempt attempt) implements TaskState {}

  /** Another engine has taken it in, and it waits for its turn there. */
  record Queued(Attempt attempt) implements TaskState {}

  record Running(Attempt attempt) implements TaskState {}

  /**
   * It is ending for that cause, and some process of it may be left. {@code exit} is there once the
   * program itself has ended; at {@code killAt} what is left gets SIGKILL.
   */
  record Completing(Attempt attempt, Cause cause, Optional<Exited> exit, Instant killAt)
      implements TaskState {}

  /** This attempt is over and holds nothing; a task that was cancelled while waiting had none. */
  record Ended(Optional<Attempt> attempt, Outcome outcome) implements TaskState {}

  /** Why it is ending. */
  sealed interface Cause {
    record ProgramEnded() implements Cause {}

    record Cancelled(String by) implements Cause {}

    record TimeLimit() implements Cause {}

    /** It used more of a GPU's memory than was promised to it: how much, and where. */
    record GpuMemory(String words) implements Cause {}

    /** It runs again; {@code held}: once it is released. */
    record Requeued(String by, boolean held) implements Cause {}
  }

  /**
   * The end of the program itself; {@code told}: its cause, where the log told it; {@code note}:
   * what it said of its end, or nothing.
   */
  record Exited(
      Exit exit,
      Usage usage,
      boolean outOfMemory,
      Instant at,
      Optional<Failure> told,
      String note) {
    public Exited(Exit exit, Usage usage, boolean outOfMemory, Instant at) {
      this(exit, usage, outOfMemory, at, Optional.empty(), "");
    }

    public Exited told(Optional<Failure> cause) {
      return new Exited(exit, usage, outOfMemory, at, cause, note);
    }

    public Exited noted(String words) {
      return new Exited(exit, usage, outOfMemory, at, told, words);
    }

    public Exited with(Optional<GpuUse> seen) {
      return new Exited(exit, usage.with(seen), outOfMemory, at, told, note);
    }

    Exited later(Duration by) {
      return new Exited(exit, usage, outOfMemory, at.plus(by), told, note);
    }
  }

  /** The same on a clock that was set on by so much; what is over stays as it was. */
  default TaskState later(Duration by) {
    return switch (this) {
      case Pending p -> p;
      case Starting(Attempt attempt) -> new Starting(attempt.later(by));
      case Queued(Attempt attempt) -> new Queued(attempt.later(by));
      case Running(Attempt attempt) -> new Running(attempt.later(by));
      case Completing(Attempt attempt, Cause cause, var exit, Instant killAt) ->
          new Completing(attempt.later(by), cause, exit.map(e -> e.later(by)), killAt.plus(by));
      case Ended e -> e;
    };
  }

  /** The word that users see. */
  default JobState shown() {
    return switch (this) {
      case Pending p -> JobState.PENDING;
      case Starting s -> JobState.RUNNING;
      case Queued q -> JobState.PENDING;
      case Running r -> JobState.RUNNING;
      case Completing c -> JobState.COMPLETING;
      case Ended(var attempt, var outcome) -> outcome.state();
    };
  }
}
