package gflow.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import gflow.script.Given;
import gflow.script.StepEnvironment;
import gflow.script.StepScript.Streams;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The tasks of a step as children of this process, which is the caller's own. They get its stdin,
 * and it ends with the highest of their codes; when it is told to end, so are they.
 */
final class StepTasks {
  private final Call call;
  private final Given given;
  private final StepEnvironment.Start start;
  private final StepStreams streams;
  private final StepPrograms programs;
  private final boolean slurm;
  private final List<Process> tasks = new ArrayList<>();
  private final List<Thread> readers = new ArrayList<>();

  StepTasks(
      Call call,
      Given given,
      StepEnvironment.Start start,
      StepStreams streams,
      StepPrograms programs,
      boolean slurm) {
    this.call = call;
    this.given = given;
    this.start = start;
    this.streams = streams;
    this.programs = programs;
    this.slurm = slurm;
  }

  int run(Path record) throws Refused {
    int count = start.meant().request().tasks();
    var hook = new Thread(this::endAll);
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      for (int task = 0; task < count; task++) {
        tasks.add(begin(task));
      }
      Thread feeder = Thread.ofVirtual().start(this::feed);
      int worst = await();
      feeder.interrupt();
      Files.writeString(record, "exit " + worst + "\n");
      return worst;
    } catch (IOException e) {
      endAll();
      throw new Refused("a task could not be started: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refused("interrupted");
    }
  }

  private Process begin(int task) throws IOException {
    Streams where = streams.of(task);
    var builder = new ProcessBuilder(programs.words(task));
    builder.directory(
        Path.of(programs.folder().orElse(call.invocation().origin().folder())).toFile());
    environment(
        builder, StepEnvironment.block(call.invocation().origin().environment(), start, task));
    boolean label = given.has("label");
    builder.redirectInput(where.in().map(f -> Redirect.from(file(f))).orElse(input()));
    builder.redirectOutput(
        where
            .out()
            .map(f -> Redirect.to(file(f)))
            .orElse(label ? Redirect.PIPE : Redirect.INHERIT));
    builder.redirectError(
        where
            .err()
            .map(f -> Redirect.to(file(f)))
            .orElse(label ? Redirect.PIPE : Redirect.INHERIT));
    Process process = builder.start();
    if (label && where.out().isEmpty()) {
      readers.add(label(process.getInputStream(), task, call.output()::line));
    }
    if (label && where.err().isEmpty()) {
      readers.add(label(process.getErrorStream(), task, call.output()::problem));
    }
    return process;
  }

  static void environment(ProcessBuilder builder, byte[] block) {
    builder.environment().clear();
    for (String entry : new String(block, UTF_8).split("\0", -1)) {
      int equals = entry.indexOf('=', 1);
      if (equals > 0) {
        builder.environment().put(entry.substring(0, equals), entry.substring(equals + 1));
      }
    }
  }

  private static java.io.File file(String path) {
    return Path.of(path).toFile();
  }

  /** One task reads for itself; more than one need somebody who reads for all. */
  private Redirect input() {
    return start.meant().request().tasks() == 1 ? Redirect.INHERIT : Redirect.PIPE;
  }

  private Thread label(InputStream from, int task, Consumer<String> to) {
    int width = Integer.toString(start.meant().request().tasks() - 1).length();
    String prefix = ("%" + width + "d: ").formatted(task);
    return Thread.ofVirtual()
        .start(
            () -> {
              try (var lines = new BufferedReader(new InputStreamReader(from, UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                  say(to, prefix + line);
                }
              } catch (IOException e) {
                // The task is gone.
              }
            });
  }

  private synchronized void say(Consumer<String> to, String line) {
    to.accept(line);
    call.output().flush();
  }

  /** Gives to every task what comes in; one that does not read must not keep the others. */
  private void feed() {
    List<Process> open =
        new ArrayList<>(tasks.stream().filter(t -> reads(tasks.indexOf(t))).toList());
    if (!input().equals(Redirect.PIPE)) {
      return;
    }
    try (InputStream in = call.invocation().input().open()) {
      byte[] part = new byte[1 << 14];
      for (int count = in.read(part); count >= 0 && !open.isEmpty(); count = in.read(part)) {
        int size = count;
        open.removeIf(task -> !write(task.getOutputStream(), part, size));
      }
    } catch (IOException e) {
      // Nothing more comes.
    }
    open.forEach(task -> close(task.getOutputStream()));
  }

  private boolean reads(int task) {
    return streams.of(task).in().isEmpty();
  }

  private static boolean write(OutputStream to, byte[] bytes, int count) {
    try {
      to.write(bytes, 0, count);
      to.flush();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static void close(OutputStream stream) {
    try {
      stream.close();
    } catch (IOException e) {
      // Its reader is gone.
    }
  }

  private int await() throws InterruptedException {
    boolean killAll =
        given.has("kill-on-bad-exit") && !given.value("kill-on-bad-exit").orElse("").equals("0");
    var waits = new ArrayList<Thread>();
    for (int task = 0; task < tasks.size(); task++) {
      int number = task;
      waits.add(Thread.ofVirtual().start(() -> awaitOne(number, killAll)));
    }
    for (Thread wait : waits) {
      wait.join();
    }
    for (Thread reader : readers) {
      reader.join();
    }
    return tasks.stream().mapToInt(Process::exitValue).max().orElse(0);
  }

  private void awaitOne(int number, boolean killAll) {
    int code = tasks.get(number).onExit().join().exitValue();
    if (code == 0) {
      return;
    }
    if (slurm) {
      String how = code > 128 ? signal(code - 128) : "Exited with exit code " + code;
      say(call.output()::problem, "srun: error: " + start.host() + ": task " + number + ": " + how);
    }
    if (killAll) {
      tasks.forEach(Process::destroy);
    }
  }

  private static String signal(int number) {
    return switch (number) {
      case 1 -> "Hangup";
      case 2 -> "Interrupt";
      case 6 -> "Aborted";
      case 9 -> "Killed";
      case 11 -> "Segmentation fault";
      case 15 -> "Terminated";
      default -> "Exited with exit code " + (128 + number);
    };
  }

  private void endAll() {
    tasks.forEach(Process::destroy);
    tasks.forEach(task -> task.onExit().join());
  }
}
