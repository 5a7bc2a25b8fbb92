package gflow.job;

/** How a user names a step: {@code 42.0}, {@code 42_7.1}. */
public record StepRef(JobRef job, int number) {
  @Override
  public String toString() {
    return job + "." + number;
  }
}
