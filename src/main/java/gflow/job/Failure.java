package gflow.job;

import java.util.Locale;
import java.util.Optional;

/** Why an attempt did not end well, as far as that is known. */
public enum Failure {
  EXIT_CODE(RetryOn.FAIL),
  SIGNAL(RetryOn.FAIL),
  /** It exited with a code, and there is no log that could say why. */
  UNKNOWN(RetryOn.FAIL),
  TIME_LIMIT(RetryOn.TIMEOUT),
  /** That of the machine. */
  MEMORY(RetryOn.OOM),
  GPU_MEMORY(RetryOn.OOM),
  /** It used more of a GPU than was promised, and had said that it shall be ended then. */
  GPU_MEMORY_LIMIT(RetryOn.OOM),
  /** An error of the GPU itself, or the GPU was lost; the note says what. */
  GPU_FAULT(RetryOn.GPU_FAULT),
  /** The MPS server failed that its programs shared, or another program on it did. */
  MPS(RetryOn.GPU_FAULT),
  /** Another user's MPS server has the GPU. */
  MPS_TAKEN(RetryOn.GPU_FAULT),
  NODE(RetryOn.NODE);

  private final RetryOn on;

  Failure(RetryOn on) {
    this.on = on;
  }

  /** The word of {@code --retry-on} that has a task tried again after it. */
  public RetryOn on() {
    return on;
  }

  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What state and exit tell by themselves; nothing of an end that is no failure. */
  static Optional<Failure> of(JobState state, Exit exit) {
    return switch (state) {
      case FAILED -> Optional.of(exit.signal() > 0 ? SIGNAL : EXIT_CODE);
      case TIMEOUT -> Optional.of(TIME_LIMIT);
      case OUT_OF_MEMORY -> Optional.of(MEMORY);
      case NODE_FAIL -> Optional.of(NODE);
      case PENDING, RUNNING, COMPLETING, COMPLETED, CANCELLED -> Optional.empty();
    };
  }
}
