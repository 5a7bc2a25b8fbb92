package gflow.api;

/**
 * A process wants to have its programs in a job that it is not a part of: which job, as users write
 * it, and who asks. {@code holds}: the job is there for that process alone, and is withdrawn if it
 * goes before the job has started.
 */
public record JoinOrder(String job, long pid, long startTime, boolean holds) {
  public JoinOrder {
    if (job == null || pid < 1 || startTime < 0) {
      throw new IllegalArgumentException("job is missing, or there is no process " + pid);
    }
  }
}
