package gflow.store;

import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.BlobId;
import gflow.job.GpuCurve;
import gflow.job.GpuId;
import gflow.job.GpuUse;
import gflow.job.Job;
import gflow.job.Loan;
import gflow.job.Outcome;
import gflow.job.Step;
import gflow.job.StepId;
import gflow.job.TaskState;
import java.time.Duration;
import java.time.Instant;

/** One durable fact. Changes are committed in groups: all of a group, or none of it. */
public sealed interface Change {
  /** Keeps a script, an environment or a file; nothing happens if it is there already. */
  record PutBlob(BlobId id, byte[] content) implements Change {}

  /** A new job; its tasks' numbers are never given out again. */
  record Submit(Job job) implements Change {}

  /**
   * The progress of a job: all of it but the spec and the live tasks, which have changes of their
   * own.
   */
  record Progress(Job job) implements Change {}

  /** The spec was edited. */
  record Respec(Job job) implements Change {}

  record AttemptStarted(AttemptId id, Attempt attempt) implements Change {}

  /** Another engine has taken it in, or started it. */
  record AttemptMoved(AttemptId id, Attempt attempt) implements Change {}

  /** It was cancelled or ran out of time, and is being ended: a restart must go on with that. */
  record AttemptEnding(AttemptId id, TaskState.Cause cause, Instant killAt) implements Change {}

  /** The attempt is over; GPU-seconds follow from its allocation and times. */
  record AttemptEnded(AttemptId id, Attempt attempt, Outcome outcome) implements Change {}

  /** What a running attempt was seen to do with its GPUs until now; the last one stays. */
  record GpusSeen(AttemptId id, GpuUse use, GpuCurve curve) implements Change {}

  /** The attempt never ran: it leaves no row, as if it had not been started. */
  record AttemptUndone(AttemptId id) implements Change {}

  /** A step was given its part of the job. */
  record StepStarted(Step step) implements Change {}

  /** It was cancelled: a restart must go on with that. */
  record StepEnding(StepId id, Step.Ending ending) implements Change {}

  /** Its part is free again. */
  record StepEnded(StepId id, Step.End end) implements Change {}

  /** It was given a GPU beyond its own. */
  record Lent(AttemptId id, Loan loan) implements Change {}

  /** The GPU is free again; its time counts among the GPU-seconds of the attempt. */
  record GivenBack(AttemptId id, GpuId gpu, Instant at) implements Change {}

  /** The machine's clock was set on by so much: by it, all that runs began that much later. */
  record ClockSet(Duration by) implements Change {}

  /** A setting of the daemon that outlives it (drained GPUs, limits); an empty value removes it. */
  record Setting(String key, String value) implements Change {}

  /** What was answered to a request with that key, so that a repeated one gets the same answer. */
  record Answered(String key, String answer, Instant at) implements Change {}
}
