package gflow.job;

import java.util.Comparator;

/**
 * The k-th task of a job, counted from 0, and how far the number of the first is from the job's own
 * ({@link TaskNumbers}). A job without {@code --array} has only task 0.
 */
public record TaskId(JobId job, int offset, int base) implements Comparable<TaskId> {
  private static final Comparator<TaskId> ORDER =
      Comparator.comparing(TaskId::job).thenComparingInt(TaskId::offset);

  public TaskId {
    if (offset < 0) {
      throw new IllegalArgumentException("offset must not be negative, was " + offset);
    }
  }

  /** The one task of a job that is no array. */
  public TaskId(JobId job) {
    this(job, 0, 0);
  }

  /** The number that users see as this task's own job id. */
  public JobId number() {
    return new JobId(job.value() + base + offset);
  }

  @Override
  public int compareTo(TaskId other) {
    return ORDER.compare(this, other);
  }
}
