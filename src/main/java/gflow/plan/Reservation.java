package gflow.plan;

import gflow.job.GpuId;
import gflow.job.JobId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What is kept for a job. {@code at} is when all of it is free at the latest; empty where that
 * depends on something without a known end.
 */
public record Reservation(
    JobId job, List<GpuId> gpus, int cpus, long memory, Optional<Instant> at) {
  public Reservation {
    gpus = List.copyOf(gpus);
  }
}
