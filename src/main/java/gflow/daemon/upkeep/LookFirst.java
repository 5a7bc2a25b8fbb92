package gflow.daemon.upkeep;

import gflow.job.AttemptId;
import gflow.job.Engine;
import gflow.job.Failure;
import gflow.job.GpuId;
import gflow.job.Step;
import gflow.job.StepId;
import gflow.job.TaskEvent;
import java.util.Optional;

/**
 * Looks who else is on the GPUs before the loop hears that a program found no memory on one: by
 * that it decides whether another try would help. The engine tells such an end on a thread of its
 * own.
 */
public final class LookFirst implements Engine.Listener {
  private final Engine.Listener loop;
  private volatile Runnable look = () -> {};

  public LookFirst(Engine.Listener loop) {
    this.loop = loop;
  }

  /** From now on; while the loop does not turn, nobody could tell it what was seen. */
  public void with(Runnable lookNow) {
    look = lookNow;
  }

  @Override
  public void happened(AttemptId attempt, TaskEvent event) {
    boolean memory =
        event instanceof TaskEvent.ProgramEnded(var exit, boolean _)
            && exit.told().equals(Optional.of(Failure.GPU_MEMORY));
    if (memory) {
      look.run();
    }
    loop.happened(attempt, event);
  }

  @Override
  public void stepEnded(StepId step, Step.End end) {
    loop.stepEnded(step, end);
  }

  @Override
  public void taken(GpuId gpu) {
    loop.taken(gpu);
  }

  @Override
  public void locked(AttemptId attempt, GpuId gpu, boolean ours) {
    loop.locked(attempt, gpu, ours);
  }
}
