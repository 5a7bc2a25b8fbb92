package gflow.job;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** What an attempt used, as far as it is known. */
public record Usage(Optional<Duration> cpuTime, OptionalLong peakMemory) {
  public static final Usage UNKNOWN = new Usage(Optional.empty(), OptionalLong.empty());
}
