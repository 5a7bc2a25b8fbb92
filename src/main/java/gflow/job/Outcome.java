package gflow.job;

import java.time.Instant;

/** How an attempt ended; the note is for people, empty where state and exit say it all. */
public record Outcome(JobState state, Exit exit, Usage usage, Instant endedAt, String note) {
  public Outcome {
    if (!state.over()) {
      throw new IllegalArgumentException("not an end: " + state);
    }
  }
}
