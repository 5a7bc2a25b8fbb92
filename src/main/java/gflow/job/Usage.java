package gflow.job;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** What an attempt used, as far as it is known. */
public record Usage(Optional<Duration> cpuTime, OptionalLong peakMemory, Optional<GpuUse> gpu) {
  public static final Usage UNKNOWN = new Usage(Optional.empty(), OptionalLong.empty());

  public Usage(Optional<Duration> cpuTime, OptionalLong peakMemory) {
    this(cpuTime, peakMemory, Optional.empty());
  }

  public Usage with(Optional<GpuUse> seen) {
    return new Usage(cpuTime, peakMemory, seen);
  }
}
