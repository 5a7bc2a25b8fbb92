package gflow.tasks;

import gflow.process.Pipe;
import gflow.process.Stdio;
import gflow.script.step.StepPlan;
import gflow.script.step.StepScript.Streams;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Where tasks read and write: files, what this process has itself, or pipes that it serves. */
final class TaskStreams {
  private static final int MODE = 0666;

  private final StepPlan plan;
  private final boolean feeds;
  private final StdinFeeder feeder = new StdinFeeder();
  private final List<LinePrefixer> labels = new ArrayList<>();
  private final Set<String> cut = new HashSet<>();
  private Optional<Pipe> in = Optional.empty();
  private Optional<Pipe> out = Optional.empty();
  private Optional<Pipe> err = Optional.empty();

  record Three(Stdio in, Stdio out, Stdio err) {}

  TaskStreams(StepPlan plan) {
    this.plan = plan;
    // One task reads for itself; more than one need somebody who reads for all.
    this.feeds = plan.tasks().size() > 1 && !hasEmptyInput();
  }

  private static boolean hasEmptyInput() {
    try {
      return Files.readSymbolicLink(Path.of("/proc/self/fd/0")).equals(Path.of("/dev/null"));
    } catch (IOException e) {
      return true;
    }
  }

  Three open(int task) throws IOException {
    Streams where = plan.tasks().get(task).streams();
    in = where.in().isEmpty() && feeds ? Optional.of(Pipe.make()) : Optional.empty();
    out = label(where.out());
    err =
        where.err().isPresent() && where.err().equals(where.out())
            ? Optional.empty()
            : label(where.err());
    return new Three(
        in.<Stdio>map(pipe -> new Stdio.Open(pipe.reading())).orElse(input(where)),
        out.isPresent() ? new Stdio.Open(out.get().writing()) : output(where.out(), 1),
        err.isPresent() ? new Stdio.Open(err.get().writing()) : error(where));
  }

  private Optional<Pipe> label(Optional<String> file) throws IOException {
    boolean joins =
        switch (plan.manner().joining()) {
          case RAW -> false;
          case LINES -> isShared(file);
          case LABELS -> true;
        };
    return joins && !file.equals(Optional.of("/dev/null"))
        ? Optional.of(Pipe.make())
        : Optional.empty();
  }

  /** Nobody tears the lines of a task that has a file to itself. */
  private boolean isShared(Optional<String> file) {
    return plan.tasks().stream()
            .map(StepPlan.Task::streams)
            .filter(one -> one.out().equals(file) || one.err().equals(file))
            .count()
        > 1;
  }

  private Stdio input(Streams where) {
    Stdio own = plan.tasks().size() == 1 ? new Stdio.Open(0) : new Stdio.Null();
    return where.in().<Stdio>map(Stdio.Read::new).orElse(own);
  }

  /** Tasks may share a file: it is cut off once, and all add to it. */
  private Stdio output(Optional<String> file, int own) throws IOException {
    if (file.isEmpty()) {
      return new Stdio.Open(own);
    }
    boolean keep = plan.tasks().getFirst().streams().append() || !cut.add(file.get());
    return new Stdio.Write(file.get(), keep || !isFile(file.get()), MODE);
  }

  private OutputStream open(String file) throws IOException {
    if (!plan.tasks().getFirst().streams().append() && cut.add(file) && isFile(file)) {
      new FileOutputStream(file).close();
    }
    // Each adds at the end: a place of its own would be written over by the others.
    return new FileOutputStream(file, true);
  }

  private static boolean isFile(String path) {
    return !Files.exists(Path.of(path)) || Files.isRegularFile(Path.of(path));
  }

  private Stdio error(Streams where) throws IOException {
    return where.err().isPresent() && where.err().equals(where.out())
        ? new Stdio.SameAsStdout()
        : output(where.err(), 2);
  }

  /** The task has its ends; ours are served from now on. */
  void started(int task) throws IOException {
    if (in.isPresent()) {
      feeder.add(in.get().toWrite());
    }
    if (out.isPresent()) {
      labels.add(
          label(out.get(), task, plan.tasks().get(task).streams().out(), FileDescriptor.out));
    }
    if (err.isPresent()) {
      labels.add(
          label(err.get(), task, plan.tasks().get(task).streams().err(), FileDescriptor.err));
    }
  }

  private LinePrefixer label(Pipe pipe, int task, Optional<String> file, FileDescriptor own)
      throws IOException {
    int width = Integer.toString(plan.tasks().size() - 1).length();
    boolean named = plan.manner().joining() == StepPlan.Joining.LABELS;
    String prefix = named ? ("%" + width + "d: ").formatted(task) : "";
    OutputStream stream = file.isEmpty() ? new FileOutputStream(own) : open(file.get());
    return LinePrefixer.start(pipe.toRead(), prefix, stream);
  }

  /** All tasks are there: what comes in is for all. */
  void begin() {
    if (feeds) {
      feeder.begin();
    }
  }

  /** All tasks are gone: what they have said is still to be written. */
  void drain() throws InterruptedException {
    for (LinePrefixer label : labels) {
      label.drain();
    }
  }
}
