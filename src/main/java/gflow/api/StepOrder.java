package gflow.api;

import gflow.job.StepRequest;
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
    boolean joined) {}
