package gflow.job;

import java.util.List;
import java.util.stream.Collectors;

/** What a started attempt holds until its last process is gone. */
public record Allocation(List<GpuGrant> gpus, Ranges cpus, long memory) {
  /** What one has that runs elsewhere: nothing of this machine. */
  public static final Allocation NONE = new Allocation(List.of(), Ranges.EMPTY, 0);

  /** A GPU, or the part of one. The index is what CUDA_VISIBLE_DEVICES gets. */
  public record GpuGrant(GpuId gpu, int index, GpuPart part, long memory) {
    public boolean whole() {
      return part.equals(GpuPart.WHOLE);
    }
  }

  public Allocation {
    gpus = List.copyOf(gpus);
  }

  /** For CUDA: numbers, but of instances of GPUs the UUIDs, because those have no other name. */
  public String visible() {
    return gpus.stream()
        .map(grant -> grant.gpu().mig() ? grant.gpu().uuid() : Integer.toString(grant.index()))
        .collect(Collectors.joining(","));
  }

  public List<Integer> gpuIndices() {
    return gpus.stream().map(GpuGrant::index).toList();
  }
}
