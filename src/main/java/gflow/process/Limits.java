package gflow.process;

import java.util.List;
import java.util.OptionalLong;

/** What an attempt may use at most, as far as a cgroup can hold it to that. */
public record Limits(OptionalLong memoryBytes, List<Integer> cpus) {
  public static final Limits NONE = new Limits(OptionalLong.empty(), List.of());

  public Limits {
    cpus = List.copyOf(cpus);
  }

  boolean memory() {
    return memoryBytes.isPresent();
  }
}
