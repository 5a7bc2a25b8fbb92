package gflow.cli.frame;

import gflow.script.step.StepPlan;
import java.io.IOException;
import java.util.Optional;

/** Where a command writes. Text goes out as it is written; streaming commands flush. */
public interface Output {
  /** Writes a text for the caller's shell, and says where. */
  interface Text {
    String write() throws IOException;
  }

  /**
   * Has the caller's own shell go on with this text: nothing more can be said then. False, and
   * nothing was written, if the caller is no shell.
   */
  default boolean handOver(Text text) {
    return false;
  }

  /**
   * Runs tasks as children of the caller's own process, and says how they ended; empty if not here.
   */
  default Optional<StepPlan.Ended> run(StepPlan plan) throws IOException {
    return Optional.empty();
  }

  /** Between two runs of tasks a signal is for this process, and ends it. */
  default void betweenRuns() {}

  void out(String text);

  void err(String text);

  /** False once the caller is gone; a streaming command then ends. */
  boolean flush();

  default void line(String text) {
    out(text + "\n");
  }

  default void problem(String text) {
    err(text + "\n");
  }
}
