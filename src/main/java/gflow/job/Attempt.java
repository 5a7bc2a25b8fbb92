package gflow.job;

import java.time.Duration;
import java.time.Instant;

/**
 * A try of a task that was given resources. Its start is the moment of that decision; {@code boot}
 * names the machine's boot then: after the next one, what the attempt has written may be lost.
 */
public record Attempt(int number, Allocation allocation, Instant startedAt, String boot) {
  /** The same on a clock that was set on by so much. */
  public Attempt later(Duration by) {
    return new Attempt(number, allocation, startedAt.plus(by), boot);
  }
}
