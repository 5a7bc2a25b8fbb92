package gflow.job;

/** The number of a job. An array of N tasks owns the numbers id … id+N−1, one for each task. */
public record JobId(long value) implements Comparable<JobId> {
  public JobId {
    if (value < 1) {
      throw new IllegalArgumentException("a job id is positive, was " + value);
    }
  }

  @Override
  public int compareTo(JobId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return Long.toString(value);
  }
}
