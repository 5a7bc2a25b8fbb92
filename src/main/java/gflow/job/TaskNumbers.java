package gflow.job;

/**
 * The job numbers that a job owns: its own, and of an array one for each task. The first task has
 * {@code id + base}: 1 after the array's own number, so that no number means both; 0 in arrays that
 * older versions have stored, where the first task shares it, and where there is one task only.
 */
public record TaskNumbers(JobId id, int base, int count) {
  /** The number after the last one. */
  public long end() {
    return Math.addExact(id.value(), (long) base + count);
  }

  public JobId last() {
    return new JobId(end() - 1);
  }

  public boolean owns(JobId number) {
    return number.value() >= id.value() && number.value() < end();
  }

  public TaskId task(int offset) {
    return new TaskId(id, offset, base);
  }

  /** The task that has this number; the array's own stands for the first one. */
  public int offset(JobId number) {
    return (int) Math.max(0, number.value() - id.value() - base);
  }

  /** The tasks that this number stands for; the job's own for all. */
  public Ranges offsets(JobId number) {
    return number.equals(id) ? Ranges.firstN(count) : Ranges.of(offset(number), offset(number));
  }
}
