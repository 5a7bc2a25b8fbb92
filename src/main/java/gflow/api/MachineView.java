package gflow.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The machine and who has what. */
public record MachineView(
    String host,
    boolean simulated,
    String gpuSource,
    List<GpuView> gpus,
    int cpus,
    int cpusFree,
    long memory,
    long memoryFree) {

  /** {@code state}: free, allocated, shared, outsider, drained, not_allowed, lost. */
  public record GpuView(
      int index,
      String uuid,
      String name,
      boolean simulated,
      long memory,
      @Nullable Long memoryUsed,
      @Nullable Integer utilization,
      @Nullable Integer temperature,
      @Nullable Double power,
      String state,
      @Nullable String why,
      List<GpuUser> users) {}

  /** A job with its share (1.0 = whole), or an outsider with its pid. */
  public record GpuUser(
      @Nullable Long jobId,
      @Nullable String job,
      @Nullable Double share,
      String user,
      @Nullable Long pid,
      @Nullable String command,
      @Nullable Long memory) {}
}
