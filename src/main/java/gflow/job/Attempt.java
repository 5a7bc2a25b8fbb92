package gflow.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A try of a task that was given resources. Its start is the moment of that decision; of one that
 * waited in the queue of another engine, the moment at which it began there.
 */
public record Attempt(int number, Allocation allocation, Instant startedAt, Where where) {
  /** The one that a task in this state has, or had last. */
  public static Optional<Attempt> of(TaskState state) {
    return switch (state) {
      case TaskState.Pending _ -> Optional.empty();
      case TaskState.Starting(Attempt attempt) -> Optional.of(attempt);
      case TaskState.Queued(Attempt attempt) -> Optional.of(attempt);
      case TaskState.Running(Attempt attempt) -> Optional.of(attempt);
      case TaskState.Completing completing -> Optional.of(completing.attempt());
      case TaskState.Ended(Optional<Attempt> attempt, Outcome _) -> attempt;
    };
  }

  /** Whether it was on this machine in another boot: then it runs no more. */
  public boolean isOfAnotherBoot(String boot) {
    return where instanceof Where.Here(String its) && !its.equals(boot);
  }

  /** The same on a clock that was set on by so much. */
  public Attempt later(Duration by) {
    return new Attempt(number, allocation, startedAt.plus(by), where);
  }

  /**
   * It has a process since then; one here has had its time since it was decided on. The clock of
   * another machine is believed as far as that can be, and ours may have been set back since.
   */
  Attempt spawned(Instant at, Instant now) {
    if (!(where instanceof Where.There)) {
      return this;
    }
    Instant decided = startedAt.isAfter(now) ? now : startedAt;
    return new Attempt(number, allocation, Outcome.end(decided, at, now), where);
  }

  /** Another engine has taken it in, under that name. */
  Attempt queued(String id) {
    return where instanceof Where.There(String engine, String _)
        ? new Attempt(number, allocation, startedAt, new Where.There(engine, id))
        : this;
  }
}
