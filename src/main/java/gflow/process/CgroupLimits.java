package gflow.process;

import java.util.List;
import java.util.OptionalLong;

/** What an attempt may use at most, as far as a cgroup can hold it to that. */
public record CgroupLimits(OptionalLong memoryBytes, List<Integer> cpus) {
  public static final CgroupLimits NONE = new CgroupLimits(OptionalLong.empty(), List.of());

  public CgroupLimits {
    cpus = List.copyOf(cpus);
  }

  boolean memory() {
    return memoryBytes.isPresent();
  }
}
