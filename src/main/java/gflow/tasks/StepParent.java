package gflow.tasks;

import gflow.process.Descriptor;
import gflow.process.ProcessWatch;
import gflow.process.Signals;
import gflow.script.step.StepPlan;
import java.io.IOException;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * This process as the parent of tasks. From the beginning it hears the signals that it was started
 * with blocked: none is lost before there are tasks that it could be handed on to.
 */
public final class StepParent implements AutoCloseable {
  private final ProcessWatch watch = new ProcessWatch();
  private final Optional<Descriptor> signals;
  private final IntConsumer whenIdle;
  private volatile @Nullable RunningTasks running;

  /** {@code whenIdle}: what a signal does while there are no tasks. */
  public StepParent(IntConsumer whenIdle) throws IOException {
    this.whenIdle = whenIdle;
    this.signals = Signals.blocked();
    signals.ifPresent(from -> watch.read(from, this::hear));
  }

  private boolean hear(byte[] bytes) {
    for (int signal : Signals.read(bytes)) {
      RunningTasks tasks = running;
      if (tasks != null) {
        tasks.signal(signal);
      } else if (signal != Signals.CONT) {
        whenIdle.accept(signal);
      }
    }
    return true;
  }

  /** Runs them; the code of the step is the highest of theirs. */
  public StepPlan.Ended run(StepPlan plan) throws IOException, InterruptedException {
    var tasks = new RunningTasks(plan, watch);
    running = tasks;
    if (signals.isEmpty()) {
      Runtime.getRuntime().addShutdownHook(new Thread(() -> tasks.signal(Signals.TERM)));
    }
    return tasks.run();
  }

  /** These tasks are over, and others will come: until then a signal finds none. */
  public void betweenRuns() {
    running = null;
  }

  @Override
  public void close() {
    watch.close();
    signals.ifPresent(Descriptor::close);
  }
}
