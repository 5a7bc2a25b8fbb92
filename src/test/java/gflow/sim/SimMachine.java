package gflow.sim;

import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.AttemptId;
import gflow.job.Engine;
import gflow.job.Exit;
import gflow.job.GpuId;
import gflow.sim.SimProcess.Leftover;
import gflow.sim.SimProcess.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The truth: which processes exist and which records lie on disk, whatever any daemon believes. It
 * goes on while no daemon runs.
 */
public final class SimMachine {
  static final Comparator<AttemptId> ORDER =
      Comparator.comparing(AttemptId::task).thenComparingInt(AttemptId::number);

  /** What the kernel writes to disk of its own accord is that late. */
  private static final Duration UNSYNCED = Duration.ofSeconds(30);

  private final Agenda agenda;
  private final Random random;
  private final SortedMap<AttemptId, SimProcess> processes = new TreeMap<>(ORDER);
  private final SortedMap<AttemptId, Folder> folders = new TreeMap<>(ORDER);
  private final MachineLaws laws;
  private final SimSteps steps;
  private final SortedMap<AttemptId, SimProcess.Behaviour> behaviours = new TreeMap<>();
  private final SortedMap<AttemptId, Allocation> queue = new TreeMap<>();
  private @Nullable SimEngine engine;
  private int boot = 1;
  private int failsIn;
  private Instant bootedAt;
  private Instant lastDeath = Instant.MIN;

  /** An attempt's folder, with its record once somebody has created that. */
  static final class Folder {
    @Nullable Written record;
  }

  /** What a record says; {@code process} is absent in one that was made to keep it from running. */
  record Written(Optional<SimProcess> process, Optional<Exit> exit, Instant writtenAt) {}

  public SimMachine(Agenda agenda, Random random, MachineLaws laws) {
    this.agenda = agenda;
    this.random = random;
    this.laws = laws;
    steps = new SimSteps(agenda, random);
    bootedAt = agenda.steady().minusSeconds(3600);
  }

  public Duration sinceBoot() {
    return Duration.between(bootedAt, agenda.steady());
  }

  public SimSteps steps() {
    return steps;
  }

  public MachineLaws laws() {
    return laws;
  }

  Agenda agenda() {
    return agenda;
  }

  Random random() {
    return random;
  }

  public String boot() {
    return "boot-" + boot;
  }

  // ---- daemons come and go ----

  public Engine connect(Engine.Listener listener) {
    engine = new SimEngine(this, listener);
    steps.watchedBy(engine::parentGone);
    return engine;
  }

  /** The daemon is dead: what it was about to do it never does, and nobody hears of ends. */
  public void disconnect() {
    lastDeath = agenda.steady();
    if (engine != null) {
      engine.die();
      engine = null;
      steps.watchedBy(_ -> {});
    }
  }

  /** The power goes: what was written last may not have reached the disk. */
  public void reboot() {
    agenda.note("reboot");
    boot++;
    bootedAt = agenda.steady();
    for (SimProcess p : List.copyOf(alive())) {
      p.phase = Phase.GONE;
      steps.attemptGone(p.id);
    }
    Instant safe = agenda.steady().minus(UNSYNCED);
    folders.values().forEach(folder -> folder.record = onDisk(folder.record, safe));
  }

  private @Nullable Written onDisk(@Nullable Written record, Instant safe) {
    if (record == null || record.writtenAt().isBefore(safe) || random.nextBoolean()) {
      return record;
    }
    boolean onlyTheEnd = record.exit().isPresent() && random.nextBoolean();
    return onlyTheEnd ? new Written(record.process(), Optional.empty(), safe) : null;
  }

  /** Removes the folders of attempts that the daemon does not know. */
  public void sweep(Set<String> known) {
    folders.keySet().removeIf(id -> !known.contains(id.toString()));
  }

  // ---- what the laws look at ----

  Collection<SimProcess> alive() {
    var alive = new ArrayList<SimProcess>();
    processes.values().forEach(p -> add(alive, p));
    return alive;
  }

  private static void add(List<SimProcess> alive, SimProcess p) {
    if (p.alive()) {
      alive.add(p);
    }
  }

  /**
   * Whether one that was known to run when it was due for its signal has had it. Who dies between
   * the commit and the signal sends none.
   */
  boolean warned(AttemptId id, Instant startedAt, Instant due) {
    return !lastDeath.isBefore(startedAt)
        || process(id).map(p -> !p.warnings.isEmpty() || !p.knownSince.isBefore(due)).orElse(true);
  }

  public boolean quiet() {
    return alive().isEmpty() && queue.isEmpty();
  }

  Optional<SimProcess> process(AttemptId id) {
    return Optional.ofNullable(processes.get(id));
  }

  /** What the record says at last; without a word in it the attempt was killed. */
  Exit exit(AttemptId id) {
    Folder folder = folders.get(id);
    boolean written = folder != null && folder.record != null;
    return written ? folder.record.exit().orElse(Exit.signal(9)) : Exit.signal(9);
  }

  // ---- files ----

  Optional<Written> record(AttemptId id) {
    return Optional.ofNullable(folders.get(id)).map(f -> f.record);
  }

  void makeFolder(AttemptId id) {
    folders.computeIfAbsent(id, k -> new Folder());
  }

  void createVoid(AttemptId id) {
    makeFolder(id);
    folders.get(id).record = new Written(Optional.empty(), Optional.empty(), agenda.steady());
  }

  void removeFolder(AttemptId id) {
    folders.remove(id);
  }

  // ---- the queue of an engine elsewhere ----

  void enqueue(AttemptId id, Allocation allocation) {
    Violation.unless(queue.put(id, allocation) == null, id + " was handed over twice");
    agenda.in(millis(6000), () -> beginThere(id));
  }

  boolean isQueued(AttemptId id) {
    return queue.containsKey(id);
  }

  /** False if it has begun, or never came. */
  boolean leaveQueue(AttemptId id) {
    return queue.remove(id) != null;
  }

  private void beginThere(AttemptId id) {
    Allocation allocation = queue.remove(id);
    if (allocation != null) {
      agenda.note("begins there " + id);
      makeFolder(id);
      spawn(id, allocation);
      if (engine != null) {
        engine.begun(id);
      }
    }
  }

  /** Since when it has had a process, by the steady time. */
  public Optional<Instant> begun(AttemptId id) {
    return process(id).map(p -> p.begun);
  }

  // ---- processes ----

  /** Of this one it is known what it will do. */
  void does(AttemptId id, SimProcess.Behaviour behaviour) {
    behaviours.put(id, behaviour);
  }

  void spawn(AttemptId id, Allocation allocation) {
    var any = SimProcess.Behaviour.any(random);
    var p = new SimProcess(id, allocation, boot(), behaviours.getOrDefault(id, any));
    p.begun = agenda.steady();
    Violation.unless(processes.put(id, p) == null, "attempt " + id + " was spawned twice");
    boolean slow = random.nextInt(10) == 0;
    agenda.in(millis(slow ? 3000 : 20), () -> createRecord(p));
  }

  /** The wrapper's first act: who finds the record there, or no folder, runs nothing. */
  private void createRecord(SimProcess p) {
    if (p.phase != Phase.WRAPPER) {
      return;
    }
    Folder folder = folders.get(p.id);
    if (folder == null || folder.record != null) {
      p.phase = Phase.GONE;
      programEnded(p);
      return;
    }
    folder.record = new Written(Optional.of(p), Optional.empty(), agenda.steady());
    p.phase = Phase.PROGRAM;
    agenda.note("runs " + p.id);
    laws.started(p, alive());
    agenda.in(p.runTime, () -> end(p, p.natural()));
  }

  private void end(SimProcess p, Exit exit) {
    if (p.phase != Phase.PROGRAM || !p.boot.equals(boot())) {
      return;
    }
    p.exit = Optional.of(exit);
    Folder folder = folders.get(p.id);
    Violation.unless(folder != null, "the folder of " + p.id + " was removed while it ran");
    folder.record = new Written(Optional.of(p), p.exit, agenda.steady());
    p.phase = p.leftover == Leftover.NONE ? Phase.GONE : Phase.LEFTOVER;
    agenda.note("ends " + p);
    steps.attemptGone(p.id);
    if (p.leftover == Leftover.SHORT) {
      agenda.in(millis(8000), () -> leftoverEnds(p));
    }
    programEnded(p);
  }

  private void leftoverEnds(SimProcess p) {
    if (p.phase == Phase.LEFTOVER) {
      p.phase = Phase.GONE;
      agenda.note("whole " + p);
      if (engine != null) {
        engine.lastIsGone(p);
      }
    }
  }

  private void programEnded(SimProcess p) {
    if (engine != null) {
      engine.programEnded(p);
    }
  }

  void terminate(SimProcess p) {
    p.signals.add(15);
    if (p.warnedAt.isEmpty()) {
      p.warnedAt = Optional.of(agenda.steady());
    }
    switch (p.phase) {
      // The wrapper has not set its traps yet.
      case WRAPPER -> die(p);
      case PROGRAM -> {
        if (!p.ignoresTerm) {
          Exit exit = random.nextInt(4) == 0 ? Exit.OK : Exit.signal(15);
          agenda.in(millis(2000), () -> end(p, exit));
        }
      }
      case LEFTOVER -> {
        if (p.leftover != Leftover.STUBBORN) {
          agenda.in(millis(500), () -> leftoverEnds(p));
        }
      }
      case GONE -> {}
    }
  }

  /** A file tells that it was sent: after a crash nobody else knows. */
  void warn(AttemptId id, int signal, Duration limit) {
    process(id).filter(p -> p.warnings.add(limit)).ifPresent(p -> p.signals.add(signal));
  }

  /** The k-th start from now on cannot be made. */
  void failOnce(int k) {
    failsIn = k;
  }

  boolean failsNow() {
    return failsIn > 0 && --failsIn == 0;
  }

  void signal(AttemptId id, int signal) {
    process(id).filter(p -> p.phase == Phase.PROGRAM).ifPresent(p -> p.signals.add(signal));
  }

  /** Whether a program that still runs has had that signal. */
  public boolean wasSignalled(AttemptId id, int signal) {
    return process(id)
        .filter(p -> p.phase == Phase.PROGRAM)
        .map(p -> p.signals.contains(signal))
        .orElse(true);
  }

  // ---- GPUs on loan ----

  public boolean runs(AttemptId id) {
    return process(id).filter(p -> p.phase == Phase.PROGRAM && p.boot.equals(boot())).isPresent();
  }

  /** The program uses these from now on, and no others; returns how many are new. */
  public int uses(AttemptId id, List<GpuGrant> lent) {
    SimProcess p = process(id).orElseThrow();
    int before = p.lent.size();
    p.lent.clear();
    p.lent.addAll(lent);
    laws.uses(p, alive());
    return Math.max(0, lent.size() - before);
  }

  public void leaves(AttemptId id, GpuId gpu) {
    process(id).orElseThrow().lent.removeIf(grant -> grant.gpu().equals(gpu));
  }

  void kill(SimProcess p) {
    laws.killed(p, agenda.steady());
    if (p.alive() && p.diesOfKill()) {
      die(p);
    }
  }

  private void die(SimProcess p) {
    boolean programRan = p.phase != Phase.LEFTOVER;
    agenda.note("killed " + p);
    steps.attemptGone(p.id);
    if (programRan) {
      p.phase = Phase.GONE;
      programEnded(p);
    } else {
      leftoverEnds(p);
    }
  }

  Duration millis(int most) {
    return Duration.ofMillis(random.nextInt(most + 1));
  }
}
