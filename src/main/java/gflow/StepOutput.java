package gflow;

import gflow.cli.frame.Output;
import gflow.script.step.StepPlan;
import gflow.tasks.StepParent;
import java.io.IOException;
import java.util.OptionalInt;

/** The output of a process that is the caller's own, and so can be the parent of tasks. */
record StepOutput(Output output, StepParent parent) implements Output {
  @Override
  public OptionalInt run(StepPlan plan) throws IOException {
    try {
      return OptionalInt.of(parent.run(plan));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void out(String text) {
    output.out(text);
  }

  @Override
  public void err(String text) {
    output.err(text);
  }

  @Override
  public boolean flush() {
    return output.flush();
  }
}
