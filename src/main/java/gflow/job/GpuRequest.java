package gflow.job;

/** What a job wants of the GPUs. */
public sealed interface GpuRequest {
  /** A whole GPU in thousandths; shares are counted in these, so that sums are exact. */
  int WHOLE = 1000;

  record None() implements GpuRequest {}

  /** That many GPUs, each for this job alone. */
  record Whole(int count) implements GpuRequest {
    public Whole {
      if (count < 1) {
        throw new IllegalArgumentException("count must be positive, was " + count);
      }
    }
  }

  /** A part of one GPU, in thousandths of its time and of its memory. */
  record Share(int thousandths) implements GpuRequest {
    public Share {
      if (thousandths < 1 || thousandths >= WHOLE) {
        throw new IllegalArgumentException("a share is between 0 and 1, was " + thousandths);
      }
    }
  }

  /** That many bytes on one GPU, which others may share. */
  record Memory(long bytes) implements GpuRequest {
    public Memory {
      if (bytes < 1) {
        throw new IllegalArgumentException("bytes must be positive, was " + bytes);
      }
    }
  }

  /** How many GPUs the job will see. */
  default int count() {
    return switch (this) {
      case None() -> 0;
      case Whole(int count) -> count;
      case Share(int thousandths) -> 1;
      case Memory(long bytes) -> 1;
    };
  }
}
