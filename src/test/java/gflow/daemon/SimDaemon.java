package gflow.daemon;

import gflow.api.ContainedBugs;
import gflow.config.Config;
import gflow.daemon.core.Clocks;
import gflow.daemon.core.CommitHooks;
import gflow.daemon.core.Core;
import gflow.daemon.core.Inventory;
import gflow.daemon.core.JobFinder;
import gflow.daemon.core.Ledger;
import gflow.daemon.core.Loop;
import gflow.daemon.core.LoopWork;
import gflow.daemon.core.OperatorControls;
import gflow.daemon.core.Ports;
import gflow.daemon.core.Recovery;
import gflow.daemon.core.TurnRunner;
import gflow.daemon.core.UnitOfWork;
import gflow.daemon.service.AnswerLimits;
import gflow.daemon.service.FenceRule;
import gflow.daemon.service.MpsRule;
import gflow.daemon.service.QueueListing;
import gflow.daemon.service.ServiceContext;
import gflow.daemon.service.Submitting;
import gflow.daemon.service.Views;
import gflow.gpu.GpuReading;
import gflow.job.Allocation.GpuGrant;
import gflow.job.Effect;
import gflow.job.Engine;
import gflow.job.GpuId;
import gflow.job.Job;
import gflow.job.JobSpec;
import gflow.job.Ranges;
import gflow.job.Where;
import gflow.json.BadJson;
import gflow.json.RecordJson;
import gflow.local.LocalEngine;
import gflow.plan.Availability;
import gflow.plan.Gpu;
import gflow.plan.UsageLimits;
import gflow.script.order.Defaults;
import gflow.sim.Agenda;
import gflow.sim.CommitLaws;
import gflow.sim.RandomJobs;
import gflow.sim.SimMachine;
import gflow.sim.Violation;
import gflow.store.Change;
import gflow.store.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One life of the daemon, built as {@link Daemon} builds it, with the loop turned by hand. */
final class SimDaemon {
  static final Duration GRACE = Duration.ofSeconds(10);

  /** Fewer than may run at a time. */
  private static final Ranges PORTS = Ranges.of(20_000, 20_009);

  private static final int LOOKED_AT = 3;
  private static final String CLUSTER = "cluster";
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(2);

  private final World world;
  private final MemoryStore store;
  private final Core core;
  private final Loop loop;
  private final Engine engine;
  private final Submitting submitting;
  private final Views views;
  private final List<Asked<?>> asked = new ArrayList<>();
  private @Nullable Instant wake;
  private @Nullable Instant clockSeen;
  private Optional<CrashAt> armed = Optional.empty();
  private boolean dead;
  private boolean lookAsked;
  private boolean lookPlanned;
  private int turns;

  /** What outlives a daemon. */
  record World(
      Agenda agenda,
      Random random,
      RandomJobs stock,
      SimMachine machine,
      CommitLaws laws,
      Gpus gpus) {
    boolean simulated() {
      return !machine.laws().realGpus();
    }
  }

  private static final long OUTSIDERS_MEMORY = 5L << 30;

  /** The truth about the GPUs, as a look would see it. */
  record Gpus(TreeMap<GpuId, String> outsiders, TreeMap<GpuId, String> lost) {}

  /** Where the daemon dies; {@code effects} is how many of them still happen. */
  record CrashAt(Point point, int effects) {
    enum Point {
      BEFORE_COMMIT,
      AFTER_COMMIT,
      EFFECTS
    }
  }

  /** The daemon is killed right here. */
  static final class Crash extends Error {
    private static final long serialVersionUID = 1;

    Crash() {
      super("crash", null, false, false);
    }
  }

  SimDaemon(World world, MemoryStore store) {
    this.world = world;
    this.store = store;
    var loaded = store.load();
    var ledger = new Ledger(store.history());
    var recovery = new Recovery();
    var clocks = new Clocks(world.agenda(), world.machine()::sinceBoot);
    Optional<Instant> clockWas = Clocks.kept(loaded.settings(), world.machine().boot());
    recovery.fill(ledger, loaded, Specs.grace(GRACE), clocks.nowBy(clockWas));
    core =
        new Core(
            ledger,
            inventory(loaded.settings().get(OperatorControls.KEY)),
            Specs.grace(GRACE),
            SimDaemon::route,
            loaded.nextId());
    core.ports(new Ports(PORTS, port -> port % 3 != 0));
    core.clockWas(clockWas);
    core.steps().fill(loaded.steps());
    core.loans().fill(loaded.loans());
    core.health().use().fill(loaded.gpus());
    loop =
        new Loop(
            new TurnRunner(core, store, new Watcher(), new ContainedBugs(line -> {})),
            clocks,
            hooks());
    Engine machine = world.machine().connect(loop);
    engine = new EngineRouter(machine, Map.of(CLUSTER, machine));
    views = new Views(ZoneOffset.UTC, new NoLogs(), LocalEngine.Binding.NONE);
    var refs = new JobFinder(store.history());
    var context = new ServiceContext(loop, store, views, refs, world.agenda(), ZoneOffset.UTC);
    var sizes = new Config.Limits(OptionalInt.empty(), OptionalInt.empty(), 1000, 10_000);
    var rules =
        new Submitting.Rules(
            Defaults.NONE, sizes, spec -> Optional.empty(), FenceRule.NONE, MpsRule.NONE);
    submitting = new Submitting(context, new NoLogs(), rules, AnswerLimits.ofThisProcess());
    world.machine().sweep(recovery.attempts());
    core.steps().running().forEach(step -> engine.run(new Effect.BeginStep(step)));
    recovery.adopt(engine);
    core.loans().effects().forEach(engine::run);
    lookSoon();
  }

  /** Some go to an engine with a queue of its own. */
  private static Where route(JobSpec spec, String boot) {
    return spec.terms().priority() % 5 == 1 ? new Where.There(CLUSTER, "") : new Where.Here(boot);
  }

  private Inventory inventory(@Nullable String kept) {
    RandomJobs s = world.stock();
    String boot = world.machine().boot();
    var stock = new Inventory.Stock(s.devices(), world.simulated(), s.cpus(), s.memory(), 0, boot);
    try {
      return new Inventory(
          stock,
          kept == null
              ? OperatorControls.none(UsageLimits.NONE)
              : RecordJson.read(OperatorControls.class, kept));
    } catch (BadJson e) {
      throw new Violation("the settings cannot be read again: " + e.getMessage());
    }
  }

  private Loop.Hooks hooks() {
    return new Loop.Hooks(
        this::act,
        (c, turn) -> turn.news().forEach(this::tell),
        this::look,
        broken -> {
          throw new IllegalStateException("broken by " + broken);
        });
  }

  private void tell(UnitOfWork.News news) {
    world.agenda().note(news.job().task(news.offset()).number() + " " + news.state().shown());
  }

  Core core() {
    return core;
  }

  Submitting submitting() {
    return submitting;
  }

  MemoryStore store() {
    return store;
  }

  // ---- turning ----

  /** When it turns next: a moment after work has arrived, or when the loop itself wants to. */
  Instant wake() {
    if (wake == null && !loop.idle()) {
      wake = world.agenda().steady().plusMillis(world.random().nextInt(10));
    }
    if (wake != null) {
      return wake;
    }
    Instant due = world.agenda().steady(loop.due());
    if (clockSeen == null && loop.isClockSet()) {
      clockSeen = world.agenda().steady().plusMillis(world.random().nextInt(2000));
    }
    return clockSeen == null || due.isBefore(clockSeen) ? due : clockSeen;
  }

  void turn() {
    wake = null;
    clockSeen = null;
    try {
      loop.turn(loop.arrived());
    } finally {
      asked.removeIf(a -> a.settled(world.agenda()));
    }
    // What the ledger has wrong it has wrong for long, and the look takes longer than the turn.
    // Between an answer and the plan that follows it nobody can look.
    if (++turns >= LOOKED_AT && loop.due().isAfter(world.agenda().instant())) {
      turns = 0;
      new LedgerLaws(core, store, views, world.agenda().instant()).check(lookAsked);
    }
  }

  <T> void ask(LoopWork.Ask.Change<T> change, Consumer<T> answer) {
    ask(change, LoopWork.Starts.NOW, answer);
  }

  <T> void ask(LoopWork.Ask.Change<T> change, LoopWork.Starts starts, Consumer<T> answer) {
    var ask = new LoopWork.Ask<T>(change, starts);
    asked.add(new Asked<>(ask, answer));
    loop.send(ask);
  }

  void tell(LoopWork.StepNews.Fact fact) {
    loop.send(new LoopWork.StepNews(fact));
  }

  /** Somebody waits for an answer; a daemon that dies gives none. */
  private record Asked<T>(LoopWork.Ask<T> ask, Consumer<T> hears) {
    boolean settled(Agenda agenda) {
      if (!ask.answer().isDone()) {
        return false;
      }
      if (ask.answer().isCompletedExceptionally()) {
        agenda.note("refused: " + ask.answer().exceptionNow().getMessage());
      } else {
        hears.accept(ask.answer().join());
      }
      return true;
    }
  }

  // ---- the GPUs, as GpuWatch looks at them ----

  private void look(Loop.GpuLook when) {
    if (when == Loop.GpuLook.SOON) {
      lookSoon();
    } else if (!world.simulated() && !lookPlanned) {
      lookPlanned = true;
      world.agenda().in(LOOK_AGAIN, () -> ifAlive(this::plannedLook));
    }
  }

  private void plannedLook() {
    lookPlanned = false;
    lookSoon();
  }

  void lookSoon() {
    if (!world.simulated() && !lookAsked) {
      lookAsked = true;
      world.agenda().in(Duration.ofMillis(world.random().nextInt(30)), this::look);
    }
  }

  private void look() {
    if (dead) {
      return;
    }
    long began = core.inventory().looks();
    List<GpuReading> readings = world.stock().devices().stream().map(d -> reading(d.id())).toList();
    var outsiders = new TreeMap<>(world.gpus().outsiders());
    var beyond = new TreeMap<GpuId, Long>();
    outsiders.keySet().forEach(gpu -> beyond.put(gpu, OUTSIDERS_MEMORY));
    ask(
        (c, now) -> {
          lookAsked = false;
          c.inventory().sampled(began, new Inventory.Sample(readings, outsiders, beyond), now);
          return now;
        },
        _ -> {});
  }

  private GpuReading reading(GpuId id) {
    GpuReading idle = GpuReading.none(id);
    return Optional.ofNullable(world.gpus().lost().get(id)).map(idle::with).orElse(idle);
  }

  boolean isAlive() {
    return !dead;
  }

  private void ifAlive(Runnable work) {
    if (!dead) {
      work.run();
    }
  }

  // ---- dying ----

  void arm(CrashAt crash) {
    armed = Optional.of(crash);
  }

  void disarm() {
    armed = Optional.empty();
  }

  String about(Job job) {
    String reason = new QueueListing(core, views, world.agenda().instant()).reason(job).text();
    return job.id() + " waits " + job.waiting() + ", runs " + job.live() + ", " + reason;
  }

  /** What the next daemon finds. */
  MemoryStore die() {
    dead = true;
    world.machine().disconnect();
    return store.crash();
  }

  private void act(Effect effect) {
    if (armed.isPresent() && armed.get().point() == CrashAt.Point.EFFECTS) {
      if (armed.get().effects() == 0) {
        throw new Crash();
      }
      armed = Optional.of(new CrashAt(CrashAt.Point.EFFECTS, armed.get().effects() - 1));
    }
    engine.run(effect);
  }

  private void crashIf(CrashAt.Point point) {
    if (armed.isPresent() && armed.get().point() == point) {
      throw new Crash();
    }
  }

  private final class Watcher implements CommitHooks {
    @Override
    public void before(String what, List<Change> changes) {
      crashIf(CrashAt.Point.BEFORE_COMMIT);
      for (Change change : changes) {
        if (change instanceof Change.AttemptStarted(var id, var attempt)) {
          attempt
              .allocation()
              .gpus()
              .forEach(
                  g ->
                      Violation.unless(
                          usable(g), id + " gets a GPU that is not to be given out: " + g));
        }
      }
    }

    /** Beside an outsider there is room for who does not have all of it. */
    private boolean usable(GpuGrant grant) {
      return core.inventory().machine().gpus().stream()
          .filter(gpu -> gpu.id().equals(grant.gpu()))
          .anyMatch(gpu -> gpu.usable() || isRoomBeside(gpu, grant));
    }

    private static boolean isRoomBeside(Gpu gpu, GpuGrant grant) {
      return gpu.availability() instanceof Availability.Outsider
          && !grant.whole()
          && grant.memory() + OUTSIDERS_MEMORY <= gpu.memory();
    }

    @Override
    public void after(String what, List<Change> changes) {
      boolean starts = changes.stream().anyMatch(c -> c instanceof Change.AttemptStarted);
      List<Job> unfinished = starts ? store.load().jobs() : List.of();
      UsageLimits limits = core.inventory().limits();
      Instant now = world.agenda().instant();
      var scene = new CommitLaws.Scene(unfinished, store.history(), limits, now);
      world.laws().committed(changes, scene);
      crashIf(CrashAt.Point.AFTER_COMMIT);
    }
  }
}
