package gflow.job;

import gflow.job.Allocation.GpuGrant;
import java.time.Duration;
import java.time.Instant;

/** A whole GPU beyond its own that an elastic attempt has until somebody else wants it. */
public record Loan(GpuGrant grant, Instant takenAt) {
  public Loan {
    if (!grant.whole()) {
      throw new IllegalArgumentException("only whole GPUs are lent, not " + grant);
    }
  }

  /** The same on a clock that was set on by so much. */
  public Loan later(Duration by) {
    return new Loan(grant, takenAt.plus(by));
  }
}
