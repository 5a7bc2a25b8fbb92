package gflow.local;

import gflow.job.Allocation;
import gflow.job.AttemptId;
import gflow.job.Engine;
import gflow.job.Exit;
import gflow.job.GpuNaming;
import gflow.job.JobState;
import gflow.job.Step;
import gflow.job.StepId;
import gflow.job.Usage;
import gflow.process.Affinity;
import gflow.process.AttemptProcesses;
import gflow.process.Proc;
import gflow.process.ProcessId;
import gflow.process.ProcessWatch;
import gflow.process.Signals;
import gflow.process.SmallFile;
import gflow.process.StepProcesses;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/**
 * The steps of attempts on this machine. Who asked for a step is the parent of its program, and has
 * its part of the job: when that process is gone, whatever is left of the step is killed, and its
 * end is told.
 */
public final class LocalSteps {
  private static final Logger LOG = System.getLogger("gflow.local");
  private static final Duration KILL_PATIENCE = Duration.ofSeconds(5);

  /** By this a process is known as one of a step. */
  public static final String MARK = "GFLOW_STEP_MARK";

  private final AttemptPaths places;
  private final Adoption adoption;
  private final ProcessWatch watch;
  private final Machine machine;
  private final Engine.Listener listener;
  private final Map<StepId, Boolean> adopted = new ConcurrentHashMap<>();

  /** What the engine has: whether CPUs can be bound, the time, and what runs of an attempt. */
  record Machine(
      LocalEngine.GpuRules gpus,
      InstantSource clock,
      RetriedWork again,
      Function<AttemptId, Optional<AttemptProcesses>> group,
      Guests guests,
      Predicate<AttemptId> mps) {}

  /** Takes in a process that runs a part of an attempt without being one of it. */
  interface Guests {
    void welcome(AttemptId id, ProcessId guest);
  }

  /** What a parent needs: where its text and its record are, its mark, how to run env. */
  public record Tools(String script, String record, String mark, String env) {}

  LocalSteps(
      AttemptPaths places,
      Adoption adoption,
      ProcessWatch watch,
      Machine machine,
      Engine.Listener listener) {
    this.places = places;
    this.adoption = adoption;
    this.watch = watch;
    this.machine = machine;
    this.listener = listener;
  }

  /** Whether that process lives and is one of the attempt. */
  public boolean isIn(AttemptId attempt, Step.Parent parent) {
    return process(parent).alive() && adoption.mark(attempt).isOn(parent.pid());
  }

  /** Whether that process lives and is one of that user. */
  public boolean isOf(int uid, Step.Parent parent) {
    return process(parent).alive()
        && Proc.status(parent.pid()).filter(status -> status.uid() == uid).isPresent();
  }

  /** What a process needs that steps into an attempt from outside. */
  public record Entrance(
      byte[] environment,
      Optional<String> slurmsNames,
      String reason,
      String env,
      List<String> fence) {}

  /**
   * Lets a process have programs in the attempt that is not one of it; empty if that does not run.
   */
  public Optional<Entrance> enter(AttemptId id, Step.Parent guest, boolean fenced)
      throws Fence.FencedOff {
    machine.guests().welcome(id, process(guest));
    Optional<ProcessId> wrapper = machine.group().apply(id).flatMap(AttemptProcesses::wrapper);
    Optional<byte[]> block = wrapper.flatMap(adoption.mark(id)::environment);
    if (wrapper.isEmpty() || block.isEmpty()) {
      return Optional.empty();
    }
    Fence fence = machine.gpus().fence();
    return Optional.of(
        new Entrance(
            block.get(),
            places.slurmsNames().map(Path::toString),
            places.reason(id).toString(),
            Env.WORDS,
            fenced ? fence.entering(wrapper.get(), guest.pid()) : fence.entering(guest.pid())));
  }

  /** How its programs name its GPUs. */
  public GpuNaming naming(AttemptId id, boolean fenced, Allocation allocation) {
    boolean all = allocation.gpus().size() == machine.gpus().fence().gpus();
    return GpuNaming.of(fenced, machine.mps().test(id), all);
  }

  /** Calls back when that process is gone. */
  public void whenGone(Step.Parent parent, Runnable tell) {
    watch.watch(process(parent), _ -> tell.run());
  }

  /**
   * Of a bound job the parent is bound to its part if it wants no more ({@code exact}); one from
   * outside is not bound to the job's by birth. False where nothing is bound.
   */
  public boolean bind(Step step, boolean exact) {
    List<Integer> cpus = step.share().cpuIds().stream().boxed().toList();
    boolean bind = machine.gpus().binding() != LocalEngine.Binding.NONE && !cpus.isEmpty();
    if (bind && (exact || isGuest(step))) {
      Affinity.set(step.parent().pid(), cpus);
    }
    if (bind && exact && machine.gpus().binding() == LocalEngine.Binding.CPUSET) {
      group(step.id()).ifPresent(g -> g.confine(part(step.id()), process(step.parent()), cpus));
    }
    return bind;
  }

  private Optional<AttemptProcesses> group(StepId id) {
    return machine.group().apply(id.attempt());
  }

  private static String part(StepId id) {
    return "step-" + id.number();
  }

  /**
   * Sends a signal to all processes of the step but its parent, which tells how they ended, and
   * says why they had to. To find them, and to kill, may take a while.
   */
  void signal(Step step, int signal) {
    StepProcesses branch = branch(step);
    if (signal == Signals.KILL) {
      kill(step, branch);
      return;
    }
    step.ending().ifPresent(ending -> explain(step.id(), ending));
    branch.members().forEach(process -> Signals.send(process, signal));
  }

  /** A parent that goes on though all that it ran is gone must not keep its part. */
  private void kill(Step step, StepProcesses branch) {
    ProcessId parent = process(step.parent());
    branch.kill(KILL_PATIENCE);
    Signals.send(parent, Signals.TERM);
    branch.kill(KILL_PATIENCE);
    Signals.send(parent, Signals.KILL);
  }

  /** Its parent says it. */
  private void explain(StepId id, Step.Ending ending) {
    try {
      String due = ending.why() == JobState.TIMEOUT ? LastWords.TIME_LIMIT : "";
      String words = LastWords.cancelled(ending.at(), ZoneId.systemDefault(), due);
      Files.writeString(places.reason(id), words + "\n");
    } catch (IOException e) {
      LOG.log(Level.WARNING, "cannot say why step " + id + " ends: " + e.getMessage());
    }
  }

  private StepProcesses branch(Step step) {
    StepId id = step.id();
    return StepProcesses.of(
        process(step.parent()), adoption.mark(id.attempt()), id.number(), MARK + "=" + mark(id));
  }

  private boolean isGuest(Step step) {
    return !adoption.mark(step.id().attempt()).isOn(step.parent().pid());
  }

  /**
   * Looks after a step, from its commit on: who asked for it and the engine both see to that, and
   * the first one does it. One whose parent is gone already is told before this returns.
   */
  public void adopt(Step step) {
    adopted.computeIfAbsent(
        step.id(),
        _ -> {
          lookAfter(step);
          return true;
        });
  }

  private void lookAfter(Step step) {
    ProcessId parent = process(step.parent());
    StepProcesses branch = branch(step);
    if (parent.alive()) {
      if (isGuest(step)) {
        machine.guests().welcome(step.id().attempt(), parent);
      }
      StepProcesses.mark(parent, adoption.mark(step.id().attempt()), step.id().number());
      watch.watch(parent, _ -> ended(step.id(), branch));
    } else {
      ended(step.id(), branch);
    }
  }

  public Tools tools(StepId id) {
    return new Tools(
        places.script(id).toString(), places.record(id).toString(), mark(id), Env.WORDS);
  }

  /** The end is committed. */
  void discard(StepId id) {
    adopted.remove(id);
    group(id).ifPresent(group -> group.release(part(id)));
    for (Path file : List.of(places.script(id), places.record(id), places.reason(id))) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        LOG.log(Level.WARNING, "cannot remove " + file + ": " + e.getMessage());
      }
    }
  }

  private static ProcessId process(Step.Parent parent) {
    return new ProcessId(parent.pid(), parent.startTime());
  }

  private String mark(StepId id) {
    return adoption.mark(id.attempt()).value() + "/" + id.number();
  }

  /**
   * The attempt is over. A parent that has written down how its tasks ended may still be on its way
   * out, above all one that told the attempt to end; its step ended before.
   */
  void settle(AttemptId attempt) {
    for (StepId id : adopted.keySet()) {
      if (id.attempt().equals(attempt)) {
        try {
          if (AttemptEnds.read(places.record(id), 0)
              instanceof SmallFile.Content(byte[] text, var at)) {
            StepRecord.parse(text).ifPresent(said -> listener.stepEnded(id, end(id, said, at)));
          }
        } catch (IOException e) {
          LOG.log(Level.WARNING, "cannot read how step " + id + " ended: " + e.getMessage());
        }
      }
    }
  }

  private void ended(StepId id, StepProcesses branch) {
    machine
        .again()
        .here(
            "the end of step " + id,
            tries -> {
              Step.End end = end(id, tries);
              if (branch.left().isEmpty()) {
                listener.stepEnded(id, end);
              } else {
                // To kill may take a while, and the watch has others to tell.
                machine.again().apart("to clear step " + id, _ -> killRest(id, branch, end));
              }
            });
  }

  private void killRest(StepId id, StepProcesses branch, Step.End end) throws IOException {
    if (!branch.kill(KILL_PATIENCE)) {
      throw new IOException("some processes do not die");
    }
    listener.stepEnded(id, end);
  }

  /** What the record says; without one that a parent wrote, the parent was killed. */
  private Step.End end(StepId id, int tries) throws IOException {
    var killed = new Step.End(Exit.signal(Signals.KILL), machine.clock().instant());
    return switch (AttemptEnds.read(places.record(id), tries)) {
      case SmallFile.Missing _, SmallFile.Strange _ -> killed;
      case SmallFile.Content(byte[] text, Instant written) ->
          StepRecord.parse(text)
              .map(said -> end(id, said, written))
              .orElse(new Step.End(killed.exit(), written));
    };
  }

  private Step.End end(StepId id, StepRecord said, Instant at) {
    OptionalLong seen = group(id).map(g -> g.peak(id.number())).orElse(OptionalLong.empty());
    OptionalLong peak = LongStream.concat(seen.stream(), said.usage().peakMemory().stream()).max();
    return new Step.End(said.exit(), at, new Usage(said.usage().cpuTime(), peak));
  }

  /** A shell runs what it puts into the background without SIGINT; most env can undo that. */
  private static final class Env {
    static final String WORDS = "/usr/bin/env" + (resets() ? " --default-signal=INT,QUIT" : "");

    private static boolean resets() {
      try {
        Process trial =
            new ProcessBuilder("/usr/bin/env", "--default-signal=INT,QUIT", "true")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return trial.waitFor(5, TimeUnit.SECONDS) && trial.exitValue() == 0;
      } catch (IOException e) {
        return false;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }
}
