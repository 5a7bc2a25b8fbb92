package gflow.job;

import java.util.Comparator;

/** The n-th step of an attempt, counted from 0. Users see {@code 42.0}. */
public record StepId(AttemptId attempt, int number) implements Comparable<StepId> {
  private static final Comparator<StepId> ORDER =
      Comparator.comparing((StepId id) -> id.attempt().task())
          .thenComparingInt(id -> id.attempt().number())
          .thenComparingInt(StepId::number);

  public StepId {
    if (number < 0) {
      throw new IllegalArgumentException("steps are counted from 0, was " + number);
    }
  }

  @Override
  public int compareTo(StepId other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return attempt.task().number() + "." + number;
  }
}
