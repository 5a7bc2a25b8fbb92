package gflow.job;

import gflow.job.Allocation.GpuGrant;
import java.time.Duration;
import java.time.Instant;

/** A whole card beyond its own that an elastic attempt has until somebody else wants it. */
public record Loan(GpuGrant card, Instant takenAt) {
  public Loan {
    if (!card.whole()) {
      throw new IllegalArgumentException("only whole cards are lent, not " + card);
    }
  }

  /** The same on a clock that was set on by so much. */
  public Loan later(Duration by) {
    return new Loan(card, takenAt.plus(by));
  }
}
