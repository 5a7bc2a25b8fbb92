package gflow.process;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** What the cgroup of an attempt counted; empty where there is none, or it does not count. */
public record CgroupUsage(Optional<Duration> cpu, OptionalLong peakMemoryBytes, long oomKills) {
  public static final CgroupUsage UNKNOWN =
      new CgroupUsage(Optional.empty(), OptionalLong.empty(), 0);
}
