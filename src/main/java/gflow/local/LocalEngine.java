package gflow.local;

import gflow.job.Allocation.GpuGrant;
import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Effect;
import gflow.job.Engine;
import gflow.job.GpuId;
import gflow.job.JobSpec;
import gflow.job.Recipients;
import gflow.job.Step;
import gflow.job.StepId;
import gflow.job.TaskEvent;
import gflow.job.TaskEvent.Blame;
import gflow.job.TaskState.Cause;
import gflow.job.Where;
import gflow.local.HaltPoints.Point;
import gflow.local.mps.MpsPlaces;
import gflow.process.Affinity;
import gflow.process.AttemptProcesses;
import gflow.process.CgroupLimits;
import gflow.process.Cgroups;
import gflow.process.KernelException;
import gflow.process.Launcher;
import gflow.process.Proc;
import gflow.process.ProcessId;
import gflow.process.ProcessWatch;
import gflow.process.Signals;
import gflow.process.Spawn;
import gflow.process.SpawnException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;

/**
 * Runs attempts on this machine. Several threads start them, side by side; of one attempt, and of
 * one GPU, all is done in the order in which it was told. Another thread tidies up, which no start
 * has to wait for; ends come from the kernel; killing, which may have to search, has threads of its
 * own.
 */
public final class LocalEngine implements Engine, AutoCloseable {
  private static final Logger LOG = System.getLogger("gflow.local");
  private static final Duration KILL_PATIENCE = Duration.ofSeconds(5);
  private static final Duration ANSWERED = Duration.ofSeconds(1);
  private static final Duration MOMENT = Duration.ofMillis(2);

  private final Setup setup;
  private final Listener listener;
  private final AttemptFolders folders;
  private final Launching launching;
  private final Adoption adoption;
  private final GpuLocks locks;
  private final LoanLocks loans;
  private final LocalSteps steps;
  private final ProcessWatch watch = new ProcessWatch();
  private final RetriedWork again = new RetriedWork();
  private final AttemptEnds ends;
  private final MpsUsers mps;
  private final Map<AttemptId, RunningAttempt> runs = new ConcurrentHashMap<>();
  private final Map<AttemptId, Set<ProcessId>> guests = new ConcurrentHashMap<>();
  private final OrderedWork effects = new OrderedWork("gflow-effects-");
  private final ExecutorService later =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().name("gflow-tidy").factory());
  private final Afterwards afterwards = new Afterwards(again, runs);
  private final String bootId = Proc.bootId();
  private final List<Integer> everyCpu = Affinity.get(0);

  /** What the engine works with. */
  public record Setup(
      AttemptPaths places,
      Launcher launcher,
      Cgroups cgroups,
      GpuRules gpus,
      AttemptMarks marks,
      HaltPoints halts,
      InstantSource clock) {}

  /** Where the locks of real GPUs are; how jobs are bound to CPUs, and kept from other GPUs. */
  public record GpuRules(
      Path lockFolder, boolean simulated, Binding binding, Fence fence, MpsPlaces mps) {}

  /** Not at all, where CPUs are declared that there are not; so that they may leave; for good. */
  public enum Binding {
    NONE,
    AFFINITY,
    CPUSET
  }

  private Optional<Path> ownLog(JobSpec spec, AttemptId id) {
    return spec.writesLog() ? setup.places().out(spec, id.task()) : Optional.empty();
  }

  private Optional<Path> problems(JobSpec spec, AttemptId id) {
    return spec.scene().output().err().filter(spec::isOfTheJob).isPresent()
        ? setup.places().err(spec, id.task())
        : setup.places().out(spec, id.task());
  }

  public LocalEngine(Setup setup, Launching.Blobs blobs, Listener listener) {
    this.setup = setup;
    this.listener = listener;
    folders = new AttemptFolders(setup.places());
    launching = new Launching(setup.places(), blobs, setup.gpus().fence());
    adoption = new Adoption(setup.places(), setup.cgroups(), setup.marks(), bootId);
    locks =
        new GpuLocks(setup.gpus().lockFolder(), setup.gpus().simulated(), setup.marks().daemon());
    loans = new LoanLocks(locks);
    mps = new MpsUsers(setup, watch, again);
    ends = new AttemptEnds(setup, listener, watch, again, mps, this::over);
    var machine =
        new LocalSteps.Machine(
            setup.gpus(),
            setup.clock(),
            again,
            id -> Optional.ofNullable(runs.get(id)).map(RunningAttempt::group),
            this::welcome,
            mps::has);
    steps = new LocalSteps(setup.places(), adoption, watch, machine, listener);
  }

  /** The steps inside these attempts; their ends come by the same watch, so in their order. */
  public LocalSteps steps() {
    return steps;
  }

  @Override
  public void run(Effect effect) {
    effects.add(
        concerns(effect),
        effect instanceof Effect.Launch launch ? mps.before(launch) : Optional.empty(),
        () -> {
          switch (effect) {
            case Effect.Launch launch -> launch(launch);
            case Effect.Warn warning -> apart(effect, () -> warn(warning));
            case Effect.Terminate(AttemptId id, Cause cause) ->
                apart(effect, () -> terminate(id, cause));
            case Effect.Kill(AttemptId id) -> apart(effect, () -> kill(id));
            case Effect.Signal(AttemptId id, int signal, Recipients to) ->
                apart(effect, () -> signal(id, signal, to));
            case Effect.Lend(AttemptId id, GpuGrant grant) ->
                again.here("to lend to " + id, _ -> lend(id, grant));
            case Effect.TakeBack(AttemptId _, GpuId gpu) -> loans.release(gpu);
            case Effect.Discard(AttemptId id) -> later.execute(() -> discard(id));
            case Effect.BeginStep(Step step) ->
                again.here("to look after step " + step.id(), _ -> steps.adopt(step));
            case Effect.SignalStep(Step step, int signal) ->
                apart(effect, () -> steps.signal(step, signal));
            case Effect.DiscardStep(StepId id) -> later.execute(() -> steps.discard(id));
          }
        });
  }

  /** The locks of a GPU are taken and given back in turn; simulated ones have none. */
  private Set<Object> concerns(Effect effect) {
    var things = new HashSet<Object>(Set.of(effect.attempt()));
    if (!setup.gpus().simulated()) {
      switch (effect) {
        case Effect.Launch launch ->
            launch.allocation().gpus().forEach(grant -> things.add(grant.gpu()));
        case Effect.Lend(AttemptId _, GpuGrant grant) -> things.add(grant.gpu());
        case Effect.TakeBack(AttemptId _, GpuId gpu) -> things.add(gpu);
        default -> {}
      }
    }
    return things;
  }

  private void apart(Effect effect, Runnable work) {
    String what = effect.getClass().getSimpleName() + " of " + effect.attempt();
    again.apart(what, _ -> work.run());
  }

  // ---- start ----

  private void launch(Effect.Launch launch) {
    AttemptId id = launch.attempt();
    Optional<MpsUsers.Refusal> without = mps.without(id);
    if (without.filter(MpsUsers.Refusal::waits).isPresent()) {
      neverRan(id, Blame.WORLD, without.get().why());
      return;
    }
    try {
      switch (locks.take(launch.allocation())) {
        case GpuLocks.Taken.Not(var gpu) -> {
          listener.taken(gpu);
          neverRan(id, Blame.NOBODY, "GPU " + gpu + " is in use by another gflow");
        }
        case GpuLocks.Taken.All(List<Integer> held) -> {
          try {
            start(launch, held);
            without.ifPresent(refusal -> refusal.tell(problems(launch.spec(), id)));
          } finally {
            GpuLocks.close(held);
          }
        }
      }
    } catch (KernelException e) {
      neverRan(id, e.isOfTheRequest() ? Blame.JOB : Blame.WORLD, e.getMessage());
    } catch (IOException e) {
      LOG.log(Level.WARNING, "attempt " + id + " could not be started: " + e.getMessage());
      neverRan(id, Blame.WORLD, String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "attempt " + id + " could not be started", e);
      neverRan(id, Blame.WORLD, String.valueOf(e.getMessage()));
    }
  }

  private void start(Effect.Launch launch, List<Integer> held) throws IOException {
    AttemptId id = launch.attempt();
    AttemptProcesses group = open(id, launch);
    RunningAttempt run;
    boolean started = false;
    try {
      folders.make(id);
      FailureLog failure =
          FailureLog.of(setup.places(), launch.spec(), launch.given(), id).begins(folders);
      run =
          new RunningAttempt(
              group, ownLog(launch.spec(), id), problems(launch.spec(), id), failure);
      Spawn spawn =
          launching.prepare(launch, group.mark(), group.joinFiles(), held, bootId, mps.folder(id));
      setup.halts().pass(Point.BEFORE_SPAWN);
      // Its first step may come before the next line is reached.
      runs.put(id, run);
      long pid = spawn(spawn, launch);
      setup.halts().pass(Point.AFTER_SPAWN);
      started = true;
      again.here("to look after " + id, _ -> lookAfter(id, run, pid));
    } finally {
      if (!started) {
        runs.remove(id);
        group.close();
      }
    }
  }

  /** It runs, whatever becomes of this: nobody reaps it but us, so its pid stays its own. */
  private void lookAfter(AttemptId id, RunningAttempt run, long pid) {
    ProcessId.ofChild(pid).ifPresent(run.group()::started);
    listener.happened(id, new TaskEvent.Spawned(setup.clock().instant()));
    watch.child(pid, ended -> ends.ended(id, run, Optional.of(ended)));
    afterwards.enclose(run);
    afterwards.lookAt(id, run);
  }

  /** At the start of a daemon a step is looked after before its attempt is. */
  private void welcome(AttemptId id, ProcessId guest) {
    guests.computeIfAbsent(id, _ -> ConcurrentHashMap.newKeySet()).add(guest);
    Optional.ofNullable(runs.get(id)).ifPresent(run -> welcomeAll(id, run));
  }

  private void welcomeAll(AttemptId id, RunningAttempt run) {
    guests.getOrDefault(id, Set.of()).forEach(run.group()::welcome);
    afterwards.enclose(run);
  }

  /** A child starts on the CPUs of the thread that starts it. */
  private long spawn(Spawn spawn, Effect.Launch launch) throws SpawnException {
    if (setup.gpus().binding() == Binding.NONE || !launch.spec().request().bound()) {
      return setup.launcher().spawn(spawn);
    }
    try {
      Affinity.set(0, launch.allocation().cpus().stream().boxed().toList());
      return setup.launcher().spawn(spawn);
    } finally {
      Affinity.set(0, everyCpu);
    }
  }

  /** A limit must hold from the first instruction; whole ends can wait until the job has begun. */
  private AttemptProcesses open(AttemptId id, Effect.Launch launch) throws IOException {
    long memory = launch.allocation().memory();
    boolean confined = setup.gpus().binding() == Binding.CPUSET && launch.spec().request().bound();
    var limits =
        new CgroupLimits(
            memory > 0 ? OptionalLong.of(memory) : OptionalLong.empty(),
            confined ? launch.allocation().cpus().stream().boxed().toList() : List.of());
    return limits.equals(CgroupLimits.NONE)
        ? setup.cgroups().later(adoption.groupName(id), adoption.mark(id))
        : setup.cgroups().open(adoption.groupName(id), adoption.mark(id), limits);
  }

  private void lend(AttemptId id, GpuGrant grant) {
    boolean ours = loans.take(id, grant);
    if (!ours) {
      listener.taken(grant.gpu());
    }
    listener.locked(id, grant.gpu(), ours);
  }

  private void neverRan(AttemptId id, Blame blame, String why) {
    String said = blame == Blame.JOB ? "could not be started: " + why : why;
    mps.leave(
        id,
        () -> listener.happened(id, new TaskEvent.NeverRan(blame, said, setup.clock().instant())));
  }

  // ---- on its way ----

  /** A file tells that it was sent: after a crash nobody else knows. */
  private void warn(Effect.Warn effect) {
    RunningAttempt run = runs.get(effect.attempt());
    String note = "signal-" + effect.limit().toSeconds();
    if (run == null) {
      return;
    }
    List<ProcessId> to = Signalling.of(run.group(), effect.to());
    // They are found first: what is noted and not sent is lost if we die in between.
    if (folders.note(effect.attempt(), note)) {
      run.group().signal(to, effect.signal());
    }
  }

  private void terminate(AttemptId id, Cause cause) {
    RunningAttempt run = runs.get(id);
    if (run == null) {
      // It ended by itself meanwhile, and that has been told.
      return;
    }
    LastWords.why(cause, setup.clock().instant(), ZoneId.systemDefault())
        .ifPresent(why -> LastWords.leave(setup.places().reason(id), why));
    run.problems().ifPresent(file -> explain(id, cause, file));
    awaitAnswers(run.group());
    List<ProcessId> roles = Signalling.parentOfRoles(run.group());
    if (roles.isEmpty()) {
      // Who hands signals on to a task would hand this one on as well, and it would come twice.
      run.group().signalBut(Signals.TERM, Signalling::handsOn);
    } else {
      run.group().signal(roles, Signals.TERM);
    }
    run.group().signal(Signals.CONT);
  }

  /**
   * A job that ends itself hears so before anything ends: what asked for it in there has its answer
   * by now, and needs a moment to say it. One that does not end has waited for something else.
   */
  private static void awaitAnswers(AttemptProcesses group) {
    long end = System.nanoTime() + ANSWERED.toNanos();
    while (group.members().stream().anyMatch(Signalling::asksForAnEnd) && System.nanoTime() < end) {
      LockSupport.parkNanos(MOMENT.toNanos());
    }
  }

  /** Once, also if the daemon died and asks again. */
  private void explain(AttemptId id, Cause cause, Path file) {
    Instant now = setup.clock().instant();
    String job = id.task().number().toString();
    LastWords.of(cause, job, setup.places().host(), now, ZoneId.systemDefault())
        .filter(_ -> folders.note(id, "told"))
        .ifPresent(line -> LastWords.write(file, line));
  }

  private void kill(AttemptId id) {
    RunningAttempt run = runs.get(id);
    if (run != null && !run.group().kill(KILL_PATIENCE)) {
      LOG.log(Level.WARNING, "some processes of " + id + " do not die; trying again");
    }
  }

  private void signal(AttemptId id, int signal, Recipients to) {
    RunningAttempt run = runs.get(id);
    if (run != null) {
      run.group().signal(Signalling.of(run.group(), to), signal);
    }
  }

  /** Nothing of it is left. */
  private void over(AttemptId id, RunningAttempt run) {
    steps.settle(id);
    runs.remove(id);
    guests.remove(id);
    run.group().close();
    run.log().ifPresent(log -> later.execute(() -> AttemptFolders.removeIfEmpty(log)));
    mps.leave(id);
  }

  private void discard(AttemptId id) {
    setup.halts().pass(Point.BEFORE_DISCARD);
    folders.remove(id);
    setup.halts().pass(Point.AFTER_DISCARD);
  }

  // ---- adoption ----

  @Override
  public void adopt(AttemptId id, JobSpec spec, Attempt attempt) {
    mps.adopt(id, spec, attempt);
    effects.add(
        Set.of(id),
        () ->
            again.here(
                "to adopt " + id,
                _ -> adopt(id, spec, attempt, adoption.find(id, Where.boot(attempt.where())))));
  }

  private void adopt(AttemptId id, JobSpec spec, Attempt attempt, Adoption.Found found)
      throws IOException {
    switch (found) {
      case Adoption.Found.NeverRan(String why) -> {
        // Its cgroup may have been made already; nothing is in it, for the record comes first.
        adoption.group(id, Optional.empty()).close();
        neverRan(id, Blame.NOBODY, why);
      }
      case Adoption.Found.Lost(String why) -> {
        adoption.group(id, Optional.empty()).close();
        listener.happened(id, new TaskEvent.Lost(why, setup.clock().instant()));
      }
      case Adoption.Found.Ran(Optional<ProcessId> wrapper) -> {
        var run =
            new RunningAttempt(
                adoption.group(id, wrapper),
                ownLog(spec, id),
                problems(spec, id),
                FailureLog.of(setup.places(), spec, attempt, id).goesOn());
        runs.put(id, run);
        if (wrapper.isPresent()) {
          listener.happened(id, new TaskEvent.Spawned(setup.clock().instant()));
          welcomeAll(id, run);
          afterwards.lookAt(id, run);
          watch.watch(wrapper.get(), ended -> ends.ended(id, run, Optional.empty()));
        } else {
          // Who is gone already is told before awaitAdopted returns.
          ends.ended(id, run, Optional.empty());
        }
      }
    }
  }

  /**
   * Returns when all that ended before they were adopted have been told. Only then may clocks count
   * again: an attempt that ended in time must not be found late.
   */
  public void awaitAdopted() {
    effects.await();
    mps.settle();
  }

  /** Who hears what is wrong with which MPS server, and that it no longer is. */
  public void tellOfMps(BiConsumer<String, Optional<String>> problems) {
    mps.tell(problems);
  }

  @Override
  public void close() {
    try {
      again.close();
      mps.close();
      effects.close();
      watch.close();
      later.shutdown();
      later.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    afterwards.close();
    folders.close();
    setup.cgroups().close();
  }
}
