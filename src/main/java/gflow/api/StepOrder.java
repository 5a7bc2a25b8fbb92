package gflow.api;

import static java.util.Objects.requireNonNull;

import gflow.job.StepRequest;
import gflow.script.value.Times;
import java.time.Duration;
import java.util.Optional;

/**
 * A step that a process of a job asks for: which job, who asks (pid and start time; it becomes the
 * owner of the step's part of the job), and what it wants. Asked again, it is the same step. One
 * that {@code joined} the job is not a process of it, but of the same user.
 */
public record StepOrder(
    long jobId,
    long pid,
    long startTime,
    String name,
    StepRequest request,
    Optional<Duration> timeLimit,
    boolean joined) {
  public StepOrder {
    requireNonNull(name, "name is missing");
    requireNonNull(request, "request is missing");
    if (jobId < 1 || pid < 1 || startTime < 0) {
      throw new IllegalArgumentException("there is no job " + jobId + " or no process " + pid);
    }
    if (timeLimit.filter(t -> t.isNegative() || t.compareTo(Times.LONGEST) > 0).isPresent()) {
      throw new IllegalArgumentException("time_limit is at most 3650 days");
    }
  }
}
