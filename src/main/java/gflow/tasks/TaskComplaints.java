package gflow.tasks;

import gflow.script.step.StepPlan;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What the parent says itself: why its tasks had to end, and which of them failed. */
final class TaskComplaints {
  private final StepPlan plan;
  private final PrintStream err =
      new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
  private boolean reasonSaid;

  TaskComplaints(StepPlan plan) {
    this.plan = plan;
  }

  /** One line for each way to end; grun's caller has the exit code. */
  void failed(List<String> lines) {
    if (!lines.isEmpty()) {
      sayReason();
    }
    if (plan.manner().slurm()) {
      lines.forEach(line -> err.println("srun: error: " + plan.host() + ": " + line));
    }
  }

  /** In the log of a job these words are why it failed. */
  void outOfGpuMemory(String line) {
    err.println((plan.manner().slurm() ? "srun: error: " + plan.host() + ": " : "grun: ") + line);
  }

  void again(int task, String how, long seconds, int tries) {
    StepPlan.Again again = plan.manner().again();
    err.println(
        "grun: task %d%s: %s; it runs again in %d s (%d of %d)"
            .formatted(task, again.whose(), how, seconds, tries, again.retries()));
  }

  void lastTry(int task, String how) {
    StepPlan.Again again = plan.manner().again();
    err.println(
        "grun: task %d%s: %s, at its last try (%d of %d)"
            .formatted(task, again.whose(), how, again.retries(), again.retries()));
  }

  /** The others are ended because one has failed. */
  void ending() {
    err.println(
        plan.manner().slurm()
            ? "srun: launch/slurm: _step_signal: Terminating StepId=" + plan.name()
            : "grun: a task has failed, so the others are ended");
  }

  /** The daemon has written it if the step was cancelled, or its time was over. */
  private void sayReason() {
    try {
      Path file = Path.of(plan.reason().file());
      if (!reasonSaid && Files.exists(file)) {
        reasonSaid = true;
        err.println(plan.reason().before() + Files.readString(file).strip() + " ***");
      }
    } catch (IOException e) {
      // The daemon has taken it away: the step is over for it.
    }
  }
}
