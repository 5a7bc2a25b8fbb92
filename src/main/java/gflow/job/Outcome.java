package gflow.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How an attempt ended; the note is for people, empty where state and exit say it all. {@code told}
 * is a cause that they do not tell.
 */
public record Outcome(
    JobState state, Exit exit, Usage usage, Instant endedAt, String note, Optional<Failure> told) {
  public Outcome(JobState state, Exit exit, Usage usage, Instant endedAt, String note) {
    this(state, exit, usage, endedAt, note, Optional.empty());
  }

  public Outcome {
    if (!state.over()) {
      throw new IllegalArgumentException("not an end: " + state);
    }
  }

  public Outcome at(Instant end) {
    return new Outcome(state, exit, usage, end, note, told);
  }

  public Outcome because(Failure cause, String why) {
    return new Outcome(state, exit, usage, endedAt, why, Optional.of(cause));
  }

  /** Why it did not end well; a cancelled one did not fail. */
  public Optional<Failure> cause() {
    return told.or(() -> Failure.of(state, exit));
  }

  /** Times of files are a little behind those of the clock. */
  private static final Duration BEHIND = Duration.ofSeconds(1);

  /**
   * When something ended that is said to have ended at {@code at}. Out of its time that was read
   * from a clock that was set meanwhile: then the end is now, when it is heard of.
   */
  public static Instant end(Instant start, Instant at, Instant now) {
    boolean wrong = at.isAfter(now) || at.plus(BEHIND).isBefore(start);
    Instant end = wrong ? now : at;
    return end.isBefore(start) ? start : end;
  }
}
