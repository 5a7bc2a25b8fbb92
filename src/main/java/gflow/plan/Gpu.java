package gflow.plan;

import gflow.job.GpuFilter;
import gflow.job.GpuId;
import gflow.job.GpuRequest;
import gflow.job.Ranges;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * A GPU as the planner sees it: memory in bytes, and the CPUs near it (empty = not known). {@code
 * beyond}: the memory in use that was promised to nobody, by outsiders or by jobs that use more
 * than they asked for.
 */
public record Gpu(
    GpuId id,
    int index,
    String model,
    long memory,
    Ranges near,
    Availability availability,
    long beyond) {
  public Gpu {
    if (index < 0 || memory < 0 || beyond < 0) {
      throw new IllegalArgumentException("bad GPU: index " + index + ", " + memory + " bytes");
    }
  }

  public Gpu(
      GpuId id, int index, String model, long memory, Ranges near, Availability availability) {
    this(id, index, model, memory, near, availability, 0);
  }

  public boolean usable() {
    return availability instanceof Availability.Usable
        || availability instanceof Availability.Exclusive;
  }

  /** Whether such a request may get it: beside an outsider there is room for a part. */
  boolean usableFor(GpuRequest request) {
    return request instanceof GpuRequest.Shared ? shares() : usable();
  }

  /** Whether several may have it, or one beside an outsider. */
  boolean shares() {
    return availability instanceof Availability.Usable
        || availability instanceof Availability.Outsider;
  }

  /** Whether it is of the same kind. */
  boolean equalTo(Gpu other) {
    return model.equals(other.model) && memory == other.memory;
  }

  boolean passes(GpuFilter filter) {
    return (filter.only().isEmpty() || filter.only().contains(index))
        && !filter.exclude().contains(index)
        && memory >= filter.memory()
        && filter.type().map(this::isOfType).orElse(true);
  }

  /**
   * Whether the type names one or several words of the model that follow each other: {@code
   * rtx4090} and {@code 4090} are an "RTX 4090", but an A100 is no {@code a10}.
   */
  boolean isOfType(String type) {
    String wanted = String.join("", words(type));
    List<String> words = words(model);
    for (int from = 0; from < words.size(); from++) {
      var run = new StringBuilder();
      for (int to = from; to < words.size() && run.length() < wanted.length(); to++) {
        run.append(words.get(to));
      }
      if (wanted.contentEquals(run)) {
        return true;
      }
    }
    return false;
  }

  private static List<String> words(String text) {
    return Stream.of(text.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}]+", -1))
        .filter(word -> !word.isEmpty())
        .toList();
  }
}
