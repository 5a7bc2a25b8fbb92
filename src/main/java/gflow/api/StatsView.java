package gflow.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Sums over ended attempts; times in seconds, the use of GPUs in percent of the time. */
public record StatsView(
    List<StateCount> states,
    double gpuSeconds,
    double cpuSeconds,
    double meanWait,
    double meanRun,
    @Nullable Double meanGpuUse,
    List<UserSum> users) {
  public record StateCount(String state, long count) {}

  public record UserSum(String user, long tasks, double gpuSeconds, double cpuSeconds) {}
}
