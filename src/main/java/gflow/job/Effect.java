package gflow.job;

import gflow.job.Allocation.GpuGrant;
import java.time.Duration;
import java.time.Instant;

/**
 * What the engine does for a task after the commit. Each may be asked for again after a crash, so
 * it is idempotent or looks first.
 */
public sealed interface Effect {
  AttemptId attempt();

  /** Its start is the moment of the decision, from which the time limit counts. */
  record Launch(AttemptId attempt, JobSpec spec, Attempt given) implements Effect {
    public Allocation allocation() {
      return given.allocation();
    }

    public Instant startedAt() {
      return given.startedAt();
    }
  }

  /** The signal before the time of {@code limit} is up; once for each limit. */
  record Warn(AttemptId attempt, int signal, Recipients to, Duration limit) implements Effect {}

  /**
   * SIGTERM to every process of the attempt; the engine says {@code Gone} when none is left. Who
   * runs a part of it elsewhere, as a terminal, is told the cause.
   */
  record Terminate(AttemptId attempt, TaskState.Cause cause) implements Effect {}

  /** SIGKILL to every process of the attempt. */
  record Kill(AttemptId attempt) implements Effect {}

  /** That signal to those of its processes; asked for again after a crash, it may come twice. */
  record Signal(AttemptId attempt, int signal, Recipients to) implements Effect {}

  /** A GPU beyond its own is lent to it: locked first, and then told whether that went well. */
  record Lend(AttemptId attempt, GpuGrant grant) implements Effect {}

  /** The GPU came back: its lock is let go. */
  record TakeBack(AttemptId attempt, GpuId gpu) implements Effect {}

  /** The end is committed: the attempt's own files may go. */
  record Discard(AttemptId attempt) implements Effect {}

  /** What is done for a step; what comes first is done first. */
  sealed interface OfStep extends Effect {
    StepId id();

    @Override
    default AttemptId attempt() {
      return id().attempt();
    }
  }

  /** Its parent has its part: the end of that process is the end of the step. */
  record BeginStep(Step step) implements OfStep {
    @Override
    public StepId id() {
      return step.id();
    }
  }

  /** That signal to all processes of the step but its parent; SIGKILL ends that, too. */
  record SignalStep(Step step, int signal) implements OfStep {
    @Override
    public StepId id() {
      return step.id();
    }
  }

  /** The end is committed: the step's own files may go. */
  record DiscardStep(StepId id) implements OfStep {}
}
