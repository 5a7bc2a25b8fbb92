package gflow.tasks;

import gflow.process.Descriptor;
import gflow.process.Launcher;
import gflow.process.Pipe;
import gflow.process.Proc;
import gflow.process.ProcessEnd;
import gflow.process.ProcessWatch;
import gflow.process.Signals;
import gflow.process.Spawn;
import gflow.process.SpawnException;
import gflow.process.Stdio;
import gflow.script.env.OpenMpi;
import gflow.script.step.StepPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.IntConsumer;

/**
 * The mpirun of OpenMPI for the tasks of a step, as a server only. It starts somebody who stands in
 * for each rank; from his environment we know how it is reached, and start the task itself: so its
 * streams, signals and exit code are those of any task. He ends when his task has ended.
 */
final class Mpirun {
  private final String program;
  private final StepPlan plan;
  private final ProcessWatch watch;
  private final IntConsumer whenGone;
  private final CompletableFuture<Optional<List<byte[]>>> told = new CompletableFuture<>();
  private final TreeMap<Integer, byte[]> environments = new TreeMap<>();
  private final List<Pipe> waits = new ArrayList<>();
  private volatile long pid;

  /** {@code whenGone} hears its code; on the thread of the watch. */
  Mpirun(String program, StepPlan plan, ProcessWatch watch, IntConsumer whenGone) {
    this.program = program;
    this.plan = plan;
    this.watch = watch;
    this.whenGone = whenGone;
  }

  /** The environments of the tasks, when all are known; empty if it has ended before. */
  Optional<List<byte[]>> start(Launcher launcher) throws IOException, InterruptedException {
    Pipe tell = Pipe.make();
    for (int rank = 0; rank < plan.tasks().size(); rank++) {
      waits.add(Pipe.make());
    }
    var lines = new PmiLines();
    try (var hearing = Descriptor.toRead("/proc/self/fd/" + tell.reading())) {
      watch.read(hearing, bytes -> hear(lines.of(bytes)));
      pid = spawn(launcher, tell);
      watch.child(pid, this::gone);
      return told.get();
    } catch (SpawnException | ExecutionException e) {
      throw new IOException(e.getMessage(), e);
    } finally {
      tell.close();
    }
  }

  private long spawn(Launcher launcher, Pipe tell) throws SpawnException {
    List<Integer> ends = waits.stream().map(Pipe::reading).toList();
    return launcher.spawn(
        new Spawn(
            OpenMpi.words(program, ProcessHandle.current().pid(), tell.writing(), ends),
            OpenMpi.mpirun(plan.tasks().getFirst().environment()),
            plan.folder(),
            new Stdio.Null(),
            new Stdio.Open(1),
            new Stdio.Open(2),
            List.of()));
  }

  /** A rank and the pid of who stands in for it. */
  private boolean hear(List<String> lines) {
    for (String line : lines) {
      String[] words = line.split(" ", 2);
      int rank = Integer.parseInt(words[0]);
      byte[] task = plan.tasks().get(rank).environment();
      Proc.environ(Long.parseLong(words[1]))
          .ifPresent(seen -> environments.put(rank, OpenMpi.rank(task, seen)));
    }
    boolean all = environments.size() == plan.tasks().size();
    if (all) {
      told.complete(Optional.of(List.copyOf(environments.values())));
    }
    return !all;
  }

  private void gone(ProcessEnd end) {
    pid = 0;
    int bySignal = 128 + end.signal().orElse(0);
    whenGone.accept(end.exitCode().orElse(bySignal));
    told.complete(Optional.empty());
  }

  boolean isRunning() {
    return pid != 0;
  }

  void kill() {
    if (isRunning()) {
      Signals.send(pid, Signals.KILL);
    }
  }

  /** This task is over: so is who stands in for it. */
  void ended(int task) {
    waits.get(task).close();
  }
}
