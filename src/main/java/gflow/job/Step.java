package gflow.job;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

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
    Instant startedAt,
    Optional<Ending> ending) {
  /** Ends are told by the times of files, which are a little behind those of the clock. */
  private static final Duration SLACK = Duration.ofMillis(20);

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

  /** It shall end at that time, and why: {@code TIMEOUT} or {@code CANCELLED}. */
  public record Ending(Instant at, JobState why) {}

  /** The same on a clock that was set on by so much. */
  public Step later(Duration by) {
    Optional<Ending> order = ending.map(e -> new Ending(e.at().plus(by), e.why()));
    return new Step(id, name, tasks, overlap, share, parent, startedAt.plus(by), order);
  }

  public Step withEnding(Ending at) {
    return new Step(id, name, tasks, overlap, share, parent, startedAt, Optional.of(at));
  }

  /** What is said of it once it is over: the order to end it says more than how it obeyed. */
  public JobState state(End end) {
    Instant about = end.at().plus(SLACK);
    return ending
        .filter(order -> !order.at().isAfter(about))
        .map(Ending::why)
        .orElse(end.exit().ok() ? JobState.COMPLETED : JobState.FAILED);
  }

  /** How it ended, when, and what it used. */
  public record End(Exit exit, Instant at, Usage usage) {
    public End(Exit exit, Instant at) {
      this(exit, at, Usage.UNKNOWN);
    }
  }
}
