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
    long memoryFree,
    List<PartitionView> partitions) {

  /** Limits in seconds. {@code standard}: where jobs are that name none. */
  public record PartitionView(
      String name, @Nullable Long maxTime, @Nullable Long defaultTime, boolean standard) {}

  /** The same as one of its partitions sees it. */
  public MachineView in(PartitionView partition) {
    return new MachineView(
        host, simulated, gpuSource, gpus, cpus, cpusFree, memory, memoryFree, List.of(partition));
  }

  /**
   * {@code state}: free, allocated, shared, outsider, drained, not_allowed, lost. {@code
   * mpsClients}: how many programs share it by MPS, if there is a server.
   */
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
      @Nullable Integer mpsClients,
      List<GpuUser> users) {}

  /**
   * A job with its share (1.0 = whole), or an outsider with its pid; {@code task} is the job as
   * people name it, {@code 42_7} if it is one of an array.
   */
  public record GpuUser(
      @Nullable Long jobId,
      @Nullable String task,
      @Nullable String job,
      @Nullable Double share,
      String user,
      @Nullable Long pid,
      @Nullable String command,
      @Nullable Long memory) {}
}
