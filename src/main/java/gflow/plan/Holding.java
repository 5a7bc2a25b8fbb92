package gflow.plan;

import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.Owner;
import gflow.job.TaskId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a started task holds; {@code end} is when its time limit strikes, if it has one. GPUs that
 * were lent to it are taken like those of its own, but come back soon after they are wanted. {@code
 * ports}: its own, and those that it says itself.
 */
public record Holding(
    TaskId task,
    Owner owner,
    Optional<String> project,
    Allocation allocation,
    Instant startedAt,
    Optional<Instant> end,
    List<GpuGrant> lent,
    List<Integer> ports) {
  public Holding {
    lent = List.copyOf(lent);
    ports = List.copyOf(ports);
  }

  public Holding(
      TaskId task,
      Owner owner,
      Optional<String> project,
      Allocation allocation,
      Instant startedAt,
      Optional<Instant> end) {
    this(task, owner, project, allocation, startedAt, end, List.of(), List.of());
  }

  public Holding withLent(List<GpuGrant> gpus) {
    return new Holding(task, owner, project, allocation, startedAt, end, gpus, ports);
  }

  /** All its GPUs. */
  public List<GpuGrant> gpus() {
    return Stream.concat(allocation.gpus().stream(), lent.stream()).toList();
  }
}
