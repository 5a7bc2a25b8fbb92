package gflow.sim;

import gflow.job.Allocation.GpuGrant;
import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Effect;
import gflow.job.Engine;
import gflow.job.Exit;
import gflow.job.Failure;
import gflow.job.JobSpec;
import gflow.job.Step;
import gflow.job.StepId;
import gflow.job.TaskEvent;
import gflow.job.TaskEvent.Blame;
import gflow.job.TaskState.Exited;
import gflow.job.Usage;
import gflow.job.Where;
import gflow.sim.SimProcess.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The engine of one daemon's life, as the local engine is: starts and discards in order and a
 * little later, signals apart from them, records created exclusively, adoption by the record.
 */
final class SimEngine implements Engine {
  private static final String WENT_DOWN = "the daemon went down before it started";

  private final SimMachine machine;
  private final Listener listener;
  private final Set<AttemptId> watched = new TreeSet<>(SimMachine.ORDER);
  private final TreeMap<StepId, Step> begun = new TreeMap<>();
  private final TreeMap<AttemptId, Instant> told = new TreeMap<>(SimMachine.ORDER);
  private Instant busyUntil = Instant.MIN;
  private boolean dead;

  SimEngine(SimMachine machine, Listener listener) {
    this.machine = machine;
    this.listener = listener;
  }

  void die() {
    dead = true;
  }

  @Override
  public void run(Effect effect) {
    inOrder(
        () -> {
          switch (effect) {
            case Effect.Launch launch -> launch(launch);
            case Effect.Warn warn ->
                apart(() -> machine.warn(warn.attempt(), warn.signal(), warn.limit()));
            case Effect.Terminate(AttemptId id, var _) -> apart(() -> terminate(id));
            case Effect.Kill(AttemptId id) -> apart(() -> kill(id));
            case Effect.Signal(AttemptId id, int signal, var _) ->
                apart(() -> machine.signal(id, signal));
            case Effect.Lend(AttemptId id, GpuGrant gpu) -> lend(id, gpu);
            case Effect.TakeBack _ -> {}
            case Effect.Discard(AttemptId id) -> machine.removeFolder(id);
            case Effect.BeginStep(Step step) -> begin(step);
            case Effect.SignalStep(Step step, int signal) ->
                apart(() -> machine.steps().signal(step, signal, steady()));
            case Effect.DiscardStep(StepId id) -> begun.remove(id);
          }
        });
  }

  @Override
  public void adopt(AttemptId id, JobSpec spec, Attempt attempt) {
    inOrder(
        () -> {
          if (attempt.where() instanceof Where.There) {
            adoptThere(id);
          } else {
            adopt(id, Where.boot(attempt.where()));
          }
        });
  }

  private void inOrder(Runnable work) {
    Instant now = steady();
    busyUntil = (busyUntil.isAfter(now) ? busyUntil : now).plus(machine.millis(8));
    at(busyUntil, work);
  }

  private void apart(Runnable work) {
    at(steady().plus(machine.millis(20)), work);
  }

  private void at(Instant when, Runnable work) {
    machine
        .agenda()
        .at(
            when,
            () -> {
              if (!dead) {
                work.run();
              }
            });
  }

  private Instant steady() {
    return machine.agenda().steady();
  }

  private Instant now() {
    return machine.agenda().instant();
  }

  private boolean oneOf(int count) {
    return machine.random().nextInt(count) == 0;
  }

  private void launch(Effect.Launch launch) {
    AttemptId id = launch.attempt();
    if (machine.failsNow()) {
      tell(id, new TaskEvent.NeverRan(Blame.WORLD, "No space left on device", now()));
    } else if (launch.given().where() instanceof Where.There) {
      launchThere(launch);
    } else if (machine.laws().realGpus() && !launch.allocation().gpus().isEmpty() && oneOf(60)) {
      GpuGrant grant = launch.allocation().gpus().getFirst();
      listener.taken(grant.gpu());
      tell(id, new TaskEvent.NeverRan(Blame.NOBODY, "GPU is in use by another gflow", now()));
    } else if (oneOf(40)) {
      machine.agenda().note("cannot start " + id);
      tell(id, new TaskEvent.NeverRan(Blame.JOB, "could not be started: no such folder", now()));
    } else if (oneOf(30)) {
      machine.agenda().note("cannot start yet " + id);
      tell(id, new TaskEvent.NeverRan(Blame.WORLD, "Too many open files", now()));
    } else {
      machine.makeFolder(id);
      machine.spawn(id, launch.allocation());
      watched.add(id);
      spawned(id);
    }
  }

  // ---- with an engine that has a queue of its own ----

  /** It takes in what has a name that it knows only once. */
  private void launchThere(Effect.Launch launch) {
    AttemptId id = launch.attempt();
    if (oneOf(20)) {
      tell(id, new TaskEvent.NeverRan(Blame.WORLD, "the cluster does not answer", now()));
    } else {
      machine.enqueue(id, launch.allocation());
      watched.add(id);
      tell(id, new TaskEvent.Queued(id.toString(), now()));
    }
  }

  void begun(AttemptId id) {
    if (watched.contains(id)) {
      spawned(id);
    }
  }

  private void adoptThere(AttemptId id) {
    Optional<SimProcess> process = machine.process(id);
    if (machine.isQueued(id)) {
      watched.add(id);
      tell(id, new TaskEvent.Queued(id.toString(), now()));
    } else if (process.isEmpty()) {
      tell(id, new TaskEvent.NeverRan(Blame.NOBODY, WENT_DOWN, now()));
    } else {
      adopt(id, process.get().boot);
    }
  }

  // ---- steps ----

  /** Something may hinder it for a while. */
  private void begin(Step step) {
    if (oneOf(30)) {
      at(steady().plusMillis(700), () -> begin(step));
    } else {
      begun.put(step.id(), step);
      machine.steps().end(step.id(), step.parent()).ifPresent(end -> tell(step.id(), end));
    }
  }

  void parentGone(SimSteps.SimParent parent) {
    for (Step step : List.copyOf(begun.values())) {
      if (step.parent().equals(parent.process)) {
        machine.steps().end(step.id(), step.parent()).ifPresent(end -> tell(step.id(), end));
      }
    }
  }

  private void tell(StepId id, Step.End end) {
    at(steady().plus(machine.millis(oneOf(10) ? 400 : 2)), () -> listener.stepEnded(id, end));
  }

  // ---- what is told ----

  private void lend(AttemptId id, GpuGrant gpu) {
    boolean ours = !(machine.laws().realGpus() && oneOf(20));
    if (!ours) {
      listener.taken(gpu.gpu());
    }
    at(steady().plus(machine.millis(5)), () -> listener.locked(id, gpu.gpu(), ours));
  }

  /** The only news that others may overtake. */
  private void spawned(AttemptId id) {
    Instant since = machine.begun(id).orElse(steady());
    var event = new TaskEvent.Spawned(now().minus(Duration.between(since, steady())));
    at(steady().plus(machine.millis(oneOf(5) ? 30_000 : 5)), () -> spawned(id, event));
  }

  private void spawned(AttemptId id, TaskEvent event) {
    machine.process(id).ifPresent(p -> p.knownSince = steady());
    listener.happened(id, event);
  }

  private void terminate(AttemptId id) {
    if (machine.leaveQueue(id)) {
      watched.remove(id);
      tell(id, new TaskEvent.NeverRan(Blame.NOBODY, "it left the queue", now()));
    } else if (watched.contains(id)) {
      machine.process(id).ifPresent(machine::terminate);
    }
  }

  private void kill(AttemptId id) {
    if (watched.contains(id)) {
      machine.process(id).ifPresent(machine::kill);
    }
  }

  void programEnded(SimProcess p) {
    if (!watched.contains(p.id)) {
      return;
    }
    if (machine.record(p.id).flatMap(SimMachine.Written::process).isEmpty()) {
      watched.remove(p.id);
      tell(p.id, new TaskEvent.NeverRan(Blame.WORLD, "No space left on device", now()));
      return;
    }
    Optional<Exit> written = machine.record(p.id).flatMap(SimMachine.Written::exit);
    Exit exit = written.orElse(Exit.signal(9));
    boolean whole = p.phase == Phase.GONE;
    var exited =
        new Exited(exit, Usage.UNKNOWN, written.isPresent() && !exit.ok() && p.outOfMemory, now());
    Optional<Failure> log = written.filter(_ -> p.outOfGpuMemory).map(_ -> Failure.GPU_MEMORY);
    tell(p.id, new TaskEvent.ProgramEnded(exited.told(log), whole));
    if (whole) {
      watched.remove(p.id);
    }
  }

  void lastIsGone(SimProcess p) {
    if (watched.remove(p.id)) {
      tell(p.id, new TaskEvent.Gone(now()));
    }
  }

  private void adopt(AttemptId id, String boot) {
    Optional<SimMachine.Written> record = machine.record(id);
    if (record.isEmpty() && !boot.equals(machine.boot())) {
      tell(id, new TaskEvent.Lost(WENT_DOWN, now()));
    } else if (record.isEmpty()) {
      machine.createVoid(id);
      machine.agenda().note("void " + id);
      neverRan(id);
    } else if (record.get().process().isEmpty()) {
      neverRan(id);
    } else {
      adopt(id, record.get().process().get(), record.get().exit().isPresent());
    }
  }

  /** Its wrapper may still live, on its way to the record that is not its own. */
  private void neverRan(AttemptId id) {
    if (machine.process(id).filter(SimProcess::alive).isPresent()) {
      at(steady().plusMillis(10), () -> neverRan(id));
    } else {
      tell(id, new TaskEvent.NeverRan(Blame.NOBODY, WENT_DOWN, now()));
    }
  }

  private void adopt(AttemptId id, SimProcess p, boolean finished) {
    machine.agenda().note("adopts " + p);
    if (!finished && !p.boot.equals(machine.boot())) {
      tell(id, new TaskEvent.Lost(WENT_DOWN, now()));
      return;
    }
    watched.add(id);
    if (p.phase == Phase.PROGRAM) {
      spawned(id);
    } else {
      programEnded(p);
    }
  }

  /** News come a little later, those of one attempt in their order, and some come twice. */
  private void tell(AttemptId id, TaskEvent event) {
    Instant last = told.getOrDefault(id, steady());
    Instant when =
        (last.isAfter(steady()) ? last : steady()).plus(machine.millis(oneOf(10) ? 400 : 2));
    told.put(id, when);
    at(when, () -> listener.happened(id, event));
    if (oneOf(20)) {
      at(when.plus(machine.millis(5000)), () -> listener.happened(id, event));
    }
  }
}
