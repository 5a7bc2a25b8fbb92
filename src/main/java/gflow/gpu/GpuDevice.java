package gflow.gpu;

import gflow.job.GpuId;
import gflow.job.Ranges;

/**
 * A GPU as the driver describes it; does not change while the daemon runs. The index is NVML's,
 * also where CUDA_VISIBLE_DEVICES hides some GPUs. Memory is in bytes, 0 where the driver does not
 * say (chips that share the host's memory); {@code near} is empty where the affinity is unknown.
 */
public record GpuDevice(
    GpuId id, int index, String name, long memory, Ranges near, boolean simulated) {
  public GpuDevice {
    if (index < 0 || memory < 0) {
      throw new IllegalArgumentException("bad GPU: index " + index + ", " + memory + " bytes");
    }
  }
}
