package gflow.script.order;

import java.util.Optional;

/** Where parts of GPUs go. */
public enum GpuPlacement {
  /** Those that end are spread; those that may stay for days go where others are already. */
  AUTO,
  /** Where there is most room. */
  SPREAD,
  /** Where a GPU is shared already. */
  PACK;

  static Optional<GpuPlacement> of(String word) {
    for (GpuPlacement one : values()) {
      if (one.name().equalsIgnoreCase(word)) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }
}
