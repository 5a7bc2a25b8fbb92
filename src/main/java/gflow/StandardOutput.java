package gflow;

import gflow.cli.frame.Output;
import gflow.script.step.StepPlan;
import gflow.tasks.StepParent;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The process's own stdout and stderr. */
final class StandardOutput implements Output {
  private final PrintStream out = stream(FileDescriptor.out);
  private final PrintStream err = stream(FileDescriptor.err);
  private final Optional<StepParent> parent;
  private int skip;

  private StandardOutput(int skip, Optional<StepParent> parent) {
    this.skip = skip;
    this.parent = parent;
  }

  /** Leaves out as many lines as the launcher has printed before the daemon's answer broke off. */
  static StandardOutput of(int printedLines) {
    return new StandardOutput(printedLines, Optional.empty());
  }

  /** Of a process that is the caller's own, and so can be the parent of tasks. */
  StandardOutput asParent(StepParent ofTasks) {
    return new StandardOutput(skip, Optional.of(ofTasks));
  }

  @Override
  public Optional<StepPlan.Ended> run(StepPlan plan) throws IOException {
    try {
      return parent.isPresent() ? Optional.of(parent.get().run(plan)) : Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  @Override
  public void betweenRuns() {
    parent.ifPresent(StepParent::betweenRuns);
  }

  private static PrintStream stream(FileDescriptor descriptor) {
    return new PrintStream(new FileOutputStream(descriptor), false, StandardCharsets.UTF_8);
  }

  @Override
  public void out(String text) {
    out.print(unprinted(text));
  }

  @Override
  public void err(String text) {
    out.flush();
    err.print(unprinted(text));
    err.flush();
  }

  private String unprinted(String text) {
    int from = 0;
    while (skip > 0 && from < text.length()) {
      int end = text.indexOf('\n', from);
      if (end < 0) {
        return "";
      }
      from = end + 1;
      skip--;
    }
    return text.substring(from);
  }

  @Override
  public boolean flush() {
    out.flush();
    return !out.checkError();
  }
}
