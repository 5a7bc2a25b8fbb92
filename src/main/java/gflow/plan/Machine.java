package gflow.plan;

import gflow.job.Ranges;
import java.util.Comparator;
import java.util.List;

/** What there is: GPUs by index, the CPU ids that may be given out, memory in bytes. */
public record Machine(List<Gpu> gpus, Ranges cpus, long memory) {
  public Machine {
    gpus = gpus.stream().sorted(Comparator.comparingInt(Gpu::index)).toList();
  }

  long largestGpu() {
    return gpus.stream().mapToLong(Gpu::memory).max().orElse(0);
  }

  /** Without the GPUs that only an administrator can bring back. */
  Machine inService() {
    return new Machine(
        gpus.stream().filter(g -> g.availability().returns()).toList(), cpus, memory);
  }
}
