package gflow.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A try of a task that was given resources. Its start is the moment of that decision; {@code boot}
 * names the machine's boot then: after the next one, what the attempt has written may be lost.
 */
public record Attempt(int number, Allocation allocation, Instant startedAt, String boot) {
  /** The one that a task in this state has, or had last. */
  public static Optional<Attempt> of(TaskState state) {
    return switch (state) {
      case TaskState.Pending _ -> Optional.empty();
      case TaskState.Starting(Attempt attempt) -> Optional.of(attempt);
      case TaskState.Running(Attempt attempt) -> Optional.of(attempt);
      case TaskState.Completing completing -> Optional.of(completing.attempt());
      case TaskState.Ended(Optional<Attempt> attempt, Outcome _) -> attempt;
    };
  }

  /** The same on a clock that was set on by so much. */
  public Attempt later(Duration by) {
    return new Attempt(number, allocation, startedAt.plus(by), boot);
  }
}
