package gflow.job;

import java.util.Comparator;

/** The n-th try of a task, counted from 1. Each is started at most once. */
public record AttemptId(TaskId task, int number) implements Comparable<AttemptId> {
  private static final Comparator<AttemptId> ORDER =
      Comparator.comparing(AttemptId::task).thenComparingInt(AttemptId::number);

  public AttemptId {
    if (number < 1) {
      throw new IllegalArgumentException("attempts are counted from 1, was " + number);
    }
  }

  @Override
  public int compareTo(AttemptId other) {
    return ORDER.compare(this, other);
  }

  /** Short and unique on this machine: names the attempt's files and marks its processes. */
  @Override
  public String toString() {
    return task.number() + "." + number;
  }
}
