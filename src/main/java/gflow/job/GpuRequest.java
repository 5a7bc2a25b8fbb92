package gflow.job;

/** What a job wants of the GPUs. */
public sealed interface GpuRequest {
  record None() implements GpuRequest {}

  /** That many GPUs, each for this job alone. */
  record Whole(int count) implements GpuRequest {
    public Whole {
      if (count < 1) {
        throw new IllegalArgumentException("count must be positive, was " + count);
      }
    }
  }

  /**
   * Of each of so many GPUs a part, or memory, or both; others may have the rest. Memory 0 is that
   * part of what the GPU has. {@code spread}: where there is most room, not where others are.
   */
  record Shared(int count, GpuPart part, long memory, boolean spread) implements GpuRequest {
    public Shared {
      if (count < 1 || memory < 0 || part.compareTo(GpuPart.WHOLE) >= 0) {
        throw new IllegalArgumentException("bad: " + part + " and " + memory + " of " + count);
      }
      if (part.isNone() && memory == 0) {
        throw new IllegalArgumentException("nothing of a GPU is asked for");
      }
    }

    public long memoryOf(long gpu) {
      return memory > 0 ? memory : part.of(gpu);
    }

    public Shared spread(boolean wanted) {
      return new Shared(count, part, memory, wanted);
    }
  }

  static Shared part(GpuPart part) {
    return new Shared(1, part, 0, false);
  }

  static Shared memory(long bytes) {
    return new Shared(1, GpuPart.NONE, bytes, false);
  }

  /** How many GPUs the job will see. */
  default int count() {
    return switch (this) {
      case None() -> 0;
      case Whole(int count) -> count;
      case Shared shared -> shared.count();
    };
  }
}
