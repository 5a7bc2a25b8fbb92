package gflow.job;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How often and after which ends a task is tried again. {@code tries}: how many attempts it has had
 * that count, with the one that ends now; {@code free}: if that shared its GPU and ran out of its
 * memory, there is one more that does not count.
 */
public record RetryRules(int tries, int retries, List<RetryOn> on, boolean free) {
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  /**
   * How it is tried again. {@code spared}: what ended does not count as a try, because it came to
   * nothing by no fault of its own, or somebody wants the task to run again. {@code held}: it waits
   * until it is released. {@code alone}: on GPUs that nobody else has.
   */
  public record Again(boolean spared, boolean held, boolean alone, Optional<Instant> notBefore) {
    static final Again AT_ONCE = new Again(false, false, false, Optional.empty());
    static final Again SPARED = new Again(true, false, false, Optional.empty());
    static final Again HELD = new Again(true, true, false, Optional.empty());
    static final Again ALONE = new Again(true, false, true, Optional.empty());
  }

  /** Nothing if that was its last try. {@code shared}: it was not alone on its GPUs. */
  public Optional<Again> after(Failure cause, boolean shared, Instant now) {
    if (cause == Failure.GPU_MEMORY && (!shared || free)) {
      return shared ? Optional.of(Again.ALONE) : Optional.empty();
    }
    if (!on.contains(cause.on())) {
      return Optional.empty();
    }
    return switch (cause.on()) {
      // No fault of the program: that never counts.
      case NODE, PREEMPT -> Optional.of(Again.SPARED);
      case FAIL, OOM, GPU_FAULT, TIMEOUT ->
          tries <= retries
              ? Optional.of(
                  new Again(
                      false,
                      false,
                      cause == Failure.GPU_MEMORY,
                      Optional.of(now.plus(pause(tries)))))
              : Optional.empty();
    };
  }

  /** 1 s, 2 s, 4 s … at most a minute. */
  public static Duration pause(int tries) {
    Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.clamp(tries - 1, 0, 20));
    return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
  }
}
