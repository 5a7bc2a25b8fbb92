package gflow.plan;

import gflow.job.Allocation;
import gflow.job.JobId;
import java.util.List;
import java.util.Optional;

/** What starts now, in this order, and what is kept for the first job in turn that cannot. */
public record Plan(List<Start> starts, Optional<Reservation> reservation) {
  /** One task of the job; which one is the caller's choice. */
  public record Start(JobId job, Allocation allocation) {}

  public Plan {
    starts = List.copyOf(starts);
  }
}
