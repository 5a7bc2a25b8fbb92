package gflow.job;

import java.util.List;
import java.util.Optional;

/**
 * Which GPUs will do: of a type (a word of the model's name, any case), only these indices, and not
 * those; with so many bytes of memory at least. Empty lists say nothing.
 */
public record GpuFilter(
    Optional<String> type, List<Integer> only, List<Integer> exclude, long memory) {
  public static final GpuFilter ANY = new GpuFilter(Optional.empty(), List.of(), List.of());

  public GpuFilter(Optional<String> type, List<Integer> only, List<Integer> exclude) {
    this(type, only, exclude, 0);
  }

  GpuFilter atLeast(long bytes) {
    return new GpuFilter(type, only, exclude, bytes);
  }

  public GpuFilter {
    only = List.copyOf(only);
    exclude = List.copyOf(exclude);
  }
}
