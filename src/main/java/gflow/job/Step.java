package gflow.job;

import java.time.Instant;
import java.util.List;

/**
 * A program, or several tasks of one, that runs inside an attempt on a part of what that has. The
 * part belongs to {@code parent}: when that process is gone, it is free. One that overlaps shares
 * its part with the others.
 */
public record Step(
    StepId id,
    String name,
    int tasks,
    boolean overlap,
    Share share,
    Parent parent,
    Instant startedAt) {
  /**
   * The part of the job's allocation. {@code cpuIds} is empty where the job counts CPUs without
   * having any; {@code memory} is 0 where it is shared.
   */
  public record Share(int cpus, Ranges cpuIds, List<Allocation.GpuGrant> gpus, long memory) {
    public Share {
      gpus = List.copyOf(gpus);
    }
  }

  /** A process for ever: pid and start time, in that boot of the machine. */
  public record Parent(long pid, long startTime) {}

  /** How it ended, and when. */
  public record End(Exit exit, Instant at) {}
}
