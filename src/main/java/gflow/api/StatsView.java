package gflow.api;

import java.util.List;

/** Sums over ended attempts; times in seconds. */
public record StatsView(
    List<StateCount> states,
    double gpuSeconds,
    double cpuSeconds,
    double meanWait,
    double meanRun,
    List<UserSum> users) {
  public record StateCount(String state, long count) {}

  public record UserSum(String user, long tasks, double gpuSeconds, double cpuSeconds) {}
}
