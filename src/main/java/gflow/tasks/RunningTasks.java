package gflow.tasks;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import gflow.job.RetryRules;
import gflow.process.Affinity;
import gflow.process.Launcher;
import gflow.process.ProcessEnd;
import gflow.process.ProcessWatch;
import gflow.process.Signals;
import gflow.process.Spawn;
import gflow.process.SpawnException;
import gflow.script.step.StepPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * The tasks of one step, from the first start to the last end. What happens to them is told by the
 * watch, on its one thread; it waits while they are being started.
 */
final class RunningTasks {
  /** As long as Slurm's KillWait. */
  private static final Duration GRACE = Duration.ofSeconds(30);

  private static final List<Integer> ENDING =
      List.of(Signals.TERM, Signals.INT, Signals.HUP, Signals.QUIT);

  /** Tasks that fail within this time share a line. */
  private static final Duration TOGETHER = Duration.ofMillis(50);

  /** For mpirun to end when its program has. */
  private static final Duration TIDY = Duration.ofSeconds(5);

  private final StepPlan plan;
  private final ProcessWatch watch;
  private final TaskStreams streams;
  private final Optional<PmiServer> pmi;
  private final Optional<Mpirun> mpirun;
  private final List<Integer> early = new ArrayList<>();
  private final List<Long> pids = new ArrayList<>();
  private final TreeMap<Integer, Failures.End> ends = new TreeMap<>();
  private final TreeMap<Integer, Integer> tries = new TreeMap<>();

  /** Those that have failed and are about to run again. */
  private final TreeMap<Integer, Failures.End> resting = new TreeMap<>();

  private List<byte[]> environments = List.of();
  private final Failures failures = new Failures();
  private final TaskComplaints complaints;
  private final TaskLogs logs;
  private final CountDownLatch over = new CountDownLatch(1);
  private OptionalInt aborted = OptionalInt.empty();
  private boolean starting = true;
  private boolean ending;

  /** They were told to end, so none runs again. */
  private boolean told;

  private Optional<Duration> cpu = Optional.empty();
  private OptionalLong largest = OptionalLong.empty();

  RunningTasks(StepPlan plan, ProcessWatch watch) {
    this.plan = plan;
    this.watch = watch;
    this.streams = new TaskStreams(plan);
    this.complaints = new TaskComplaints(plan);
    this.logs = TaskLogs.of(plan);
    this.pmi =
        plan.manner().mpi() instanceof StepPlan.Mpi.Pmi
            ? Optional.of(new PmiServer(space(plan), watch, this, this::abort))
            : Optional.empty();
    this.mpirun =
        plan.manner().mpi() instanceof StepPlan.Mpi.Mpirun(String program)
            ? Optional.of(new Mpirun(program, plan, watch, this::deserted))
            : Optional.empty();
  }

  private static Pmi space(StepPlan plan) {
    return new Pmi(plan.name(), plan.tasks().size());
  }

  StepPlan.Ended run() throws IOException, InterruptedException {
    Launcher launcher = Launcher.best();
    Optional<List<byte[]>> told = environments(launcher);
    if (told.isPresent()) {
      environments = told.get();
      startAll(launcher);
      streams.begin();
      over.await();
      streams.drain();
    }
    int code = code();
    String used = cpu.map(time -> "cpu " + time.toNanos() / 1000 + "\n").orElse("");
    String size = largest.isPresent() ? "rss " + largest.getAsLong() + "\n" : "";
    Files.writeString(Path.of(plan.record()), used + size + "exit " + code + "\n");
    if (plan.manner().again().tally().isPresent()) {
      long well = ends.values().stream().filter(end -> end.code() == 0).count();
      Files.writeString(Path.of(plan.manner().again().tally().get()), Long.toString(well));
    }
    Optional<String> noMemory = logs.outOfGpuMemory(failed());
    noMemory.ifPresent(complaints::outOfGpuMemory);
    return new StepPlan.Ended(code, noMemory.isPresent());
  }

  private synchronized Set<Integer> failed() {
    return ends.keySet().stream()
        .filter(task -> ends.get(task).code() != 0)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Empty if mpirun could not tell them; it has said why. */
  private Optional<List<byte[]>> environments(Launcher launcher)
      throws IOException, InterruptedException {
    return mpirun.isPresent()
        ? mpirun.get().start(launcher)
        : Optional.of(plan.tasks().stream().map(StepPlan.Task::environment).toList());
  }

  /** Nothing happens in between, but in the pauses where there are any. */
  private synchronized void startAll(Launcher launcher) throws IOException, InterruptedException {
    try {
      int task = 0;
      while (task < plan.tasks().size() && startNext(launcher, task)) {
        task++;
      }
    } catch (SpawnException e) {
      signalAll(Signals.KILL);
      throw new IOException(e.getMessage(), e);
    }
    startedAll();
  }

  /** False if those that were started shall end: no more are started then. */
  private boolean startNext(Launcher launcher, int task)
      throws IOException, SpawnException, InterruptedException {
    long end = System.nanoTime() + (task == 0 ? 0 : plan.manner().stagger().toNanos());
    long left = end - System.nanoTime();
    while (left > 0 && !stops()) {
      // Meanwhile tasks may end, and signals come.
      NANOSECONDS.timedWait(this, left);
      left = end - System.nanoTime();
    }
    if (task > 0 && stops()) {
      return false;
    }
    long pid = start(launcher, task);
    pids.add(pid);
    watch.child(pid, ended -> ended(task, ended));
    return true;
  }

  private boolean stops() {
    return ending || aborted.isPresent() || early.stream().anyMatch(ENDING::contains);
  }

  private void startedAll() {
    starting = false;
    early.forEach(this::signal);
    if (aborted.isPresent()) {
      signalAll(Signals.KILL);
    }
    finishIfOver();
  }

  /** The number of one that has ended may be somebody else's by now. */
  private boolean runs(int task) {
    return !ends.containsKey(task) && !resting.containsKey(task);
  }

  private boolean areOver() {
    return !starting && ends.size() == pids.size();
  }

  private long start(Launcher launcher, int task) throws IOException, SpawnException {
    StepPlan.Task what = plan.tasks().get(task);
    TaskStreams.Three three = streams.open(task);
    List<Integer> connection = pmi.isPresent() ? List.of(pmi.get().connect(task)) : List.of();
    var spawn =
        new Spawn(
            what.words(),
            environments.get(task),
            plan.folder(),
            three.in(),
            three.out(),
            three.err(),
            connection);
    long pid = what.cpus().isEmpty() ? launcher.spawn(spawn) : bound(launcher, spawn, what.cpus());
    streams.started(task);
    if (pmi.isPresent()) {
      pmi.get().started(task);
    }
    return pid;
  }

  /** It has its CPUs from its first instruction on: those of the thread that starts it. */
  private static long bound(Launcher launcher, Spawn spawn, List<Integer> cpus)
      throws SpawnException {
    List<Integer> before = Affinity.get(0);
    Affinity.set(0, cpus);
    try {
      return launcher.spawn(spawn);
    } finally {
      Affinity.set(0, before);
    }
  }

  // ---- what happens, on the thread of the watch ----

  synchronized void signal(int signal) {
    if (starting) {
      early.add(signal);
      notifyAll();
      return;
    }
    if (ENDING.contains(signal)) {
      settle();
    }
    for (int task = 0; task < pids.size(); task++) {
      if (runs(task)) {
        Signals.send(pids.get(task), signal);
      }
    }
  }

  private synchronized void ended(int task, ProcessEnd ended) {
    int status = ended.waitStatus().orElse(0);
    var end =
        new Failures.End(
            ended.signal().isPresent()
                ? 128 + ended.signal().getAsInt()
                : ended.exitCode().orElse(1),
            ended.signal().isPresent(),
            (status & 0x80) != 0);
    cpu = ended.cpu().map(time -> time.plus(cpu.orElse(Duration.ZERO))).or(() -> cpu);
    largest = LongStream.concat(largest.stream(), ended.maxRssBytes().stream()).max();
    if (end.code() != 0 && runsAgain(task, end)) {
      return;
    }
    ends.put(task, end);
    if (end.code() != 0) {
      failed(task, end);
    }
    mpirun.ifPresent(server -> server.ended(task));
    finishIfOver();
  }

  /** One of an MPI program cannot come back to it. */
  private boolean runsAgain(int task, Failures.End end) {
    int most = plan.manner().again().retries();
    boolean inside = pmi.filter(server -> server.isInside(task)).isPresent() || mpirun.isPresent();
    if (most == 0 || inside || told || stops()) {
      return false;
    }
    int tried = tries.merge(task, 1, Integer::sum);
    if (tried > most) {
      complaints.lastTry(task, end.words());
      return false;
    }
    Duration pause = RetryRules.pause(tried);
    complaints.again(task, end.words(), pause.toSeconds(), tried);
    resting.put(task, end);
    later(pause, () -> startAgain(task));
    return true;
  }

  private synchronized void startAgain(int task) {
    if (resting.remove(task) == null) {
      return;
    }
    try {
      long pid = start(Launcher.best(), task);
      pids.set(task, pid);
      watch.child(pid, ended -> ended(task, ended));
    } catch (IOException e) {
      ends.put(task, new Failures.End(1, false, false));
      complaints.lastTry(task, "cannot be started: " + e.getMessage());
      finishIfOver();
    }
  }

  /** All shall end: who rests stays as it ended. */
  private void settle() {
    told = true;
    ends.putAll(resting);
    resting.clear();
    finishIfOver();
  }

  private void finishIfOver() {
    if (areOver()) {
      tell();
      finish();
    }
  }

  /** Mpirun has heard that all are over; it is not waited for longer than need be. */
  private void finish() {
    if (mpirun.isPresent() && mpirun.get().isRunning()) {
      later(TIDY, mpirun.get()::kill);
    } else {
      over.countDown();
    }
  }

  /**
   * Mpirun is gone with this code. If there are still tasks, one has told it that all shall end, by
   * the same code, or one that the others need is lost; they cannot go on without it.
   */
  private synchronized void deserted(int code) {
    boolean failed = ends.values().stream().anyMatch(end -> end.code() != 0);
    boolean asked = ends.values().stream().anyMatch(end -> end.code() == code && code != 0);
    if (areOver()) {
      over.countDown();
    } else if (failed && !asked) {
      tell();
      endOthers();
    } else {
      abort(Math.max(1, code));
    }
  }

  private void failed(int task, Failures.End end) {
    // Where all are killed at once it is told when all are gone.
    if (failures.isEmpty() && aborted.isEmpty()) {
      later(TOGETHER, this::tell);
    }
    failures.add(task, end);
    boolean others = ends.size() < plan.tasks().size() && aborted.isEmpty();
    // The other ranks of an MPI program would wait for this one for ever.
    boolean needed = pmi.filter(server -> server.isInside(task)).isPresent();
    if (others && (plan.manner().killOnBadExit() || needed)) {
      tell();
      endOthers();
    }
  }

  private synchronized void tell() {
    complaints.failed(failures.lines());
  }

  /** A rank says that the whole program shall end, now. */
  private synchronized void abort(int code) {
    if (aborted.isEmpty()) {
      aborted = OptionalInt.of(code);
      notifyAll();
      signalAll(Signals.KILL);
      settle();
    }
  }

  private void endOthers() {
    if (ending) {
      return;
    }
    ending = true;
    notifyAll();
    complaints.ending();
    signalAll(Signals.TERM);
    settle();
    later(GRACE, () -> signalAll(Signals.KILL));
  }

  /** With what they have started, as far as it is still in their group. */
  private synchronized void signalAll(int signal) {
    for (int task = 0; task < pids.size(); task++) {
      if (runs(task)) {
        Signals.sendGroup(pids.get(task), signal);
      }
    }
  }

  /** Unless all are over by then. */
  private void later(Duration pause, Runnable what) {
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                if (!over.await(pause.toMillis(), MILLISECONDS)) {
                  what.run();
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }

  private synchronized int code() {
    return aborted.orElse(ends.values().stream().mapToInt(Failures.End::code).max().orElse(0));
  }
}
