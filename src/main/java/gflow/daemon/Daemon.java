package gflow.daemon;

import gflow.api.Authority;
import gflow.api.ContainedBugs;
import gflow.api.DaemonStatus;
import gflow.api.Gflow;
import gflow.config.Config;
import gflow.daemon.core.Clocks;
import gflow.daemon.core.CommitHooks;
import gflow.daemon.core.Core;
import gflow.daemon.core.Inventory;
import gflow.daemon.core.JobFinder;
import gflow.daemon.core.KeptControls;
import gflow.daemon.core.Ledger;
import gflow.daemon.core.Loop;
import gflow.daemon.core.OperatorControls;
import gflow.daemon.core.PoisonedRequests;
import gflow.daemon.core.Ports;
import gflow.daemon.core.Problem.Kind;
import gflow.daemon.core.Problems;
import gflow.daemon.core.Recovery;
import gflow.daemon.core.Refusal;
import gflow.daemon.core.Requests;
import gflow.daemon.core.Routing;
import gflow.daemon.core.TurnRunner;
import gflow.daemon.service.AnswerLimits;
import gflow.daemon.service.ChangeFeed;
import gflow.daemon.service.ChangeRing;
import gflow.daemon.service.ChangeRing.Thing;
import gflow.daemon.service.ControlsShown;
import gflow.daemon.service.Editing;
import gflow.daemon.service.FenceRule;
import gflow.daemon.service.InJobRequests;
import gflow.daemon.service.Joining;
import gflow.daemon.service.LogFiles;
import gflow.daemon.service.MpsRule;
import gflow.daemon.service.Operating;
import gflow.daemon.service.Querying;
import gflow.daemon.service.SceneChecks;
import gflow.daemon.service.Service;
import gflow.daemon.service.ServiceContext;
import gflow.daemon.service.Stepping;
import gflow.daemon.service.Submitting;
import gflow.daemon.service.Views;
import gflow.daemon.service.Waiters;
import gflow.daemon.upkeep.GpuWatch;
import gflow.daemon.upkeep.Housekeeping;
import gflow.daemon.upkeep.LookFirst;
import gflow.gpu.GpuDevice;
import gflow.gpu.GpuProbe;
import gflow.job.Effect;
import gflow.job.Grace;
import gflow.job.Owner;
import gflow.job.Ranges;
import gflow.job.TaskState;
import gflow.local.AttemptFolders;
import gflow.local.AttemptPaths;
import gflow.local.Fence;
import gflow.local.HaltPoints;
import gflow.local.HaltPoints.Point;
import gflow.local.LocalEngine;
import gflow.plan.UsageLimits;
import gflow.process.BootTime;
import gflow.process.FreePort;
import gflow.process.Proc;
import gflow.store.Change;
import gflow.store.Store;
import gflow.store.Store.StoreException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Builds the daemon from its parts, top to bottom, and takes it down in reverse. */
public final class Daemon implements AutoCloseable {
  private static final Logger LOG = System.getLogger("gflow.daemon");
  private static final Duration DRIVER_PATIENCE = Duration.ofSeconds(5);

  private static final int KEPT_CHANGES = 10_000;

  /** The exit code where a turn of the loop met a bug: the guard starts the next daemon. */
  private static final int BROKEN = 70;

  private final Setup setup;
  private final Store store;
  private final LocalEngine local;
  private final EngineRouter engines;
  private final Loop loop;
  private final ChangeRing changes = new ChangeRing(KEPT_CHANGES);
  private final Problems problems;
  private final ContainedBugs bugs;
  private final PoisonedRequests poison;
  private final GpuWatch gpus;
  private final Housekeeping housekeeping;
  private final Waiters waiters;
  private final Waiters starts;
  private final Service.Parts parts;
  private final Views views;
  private final CountDownLatch down = new CountDownLatch(1);
  private final Instant startedAt;
  private @Nullable OperatorControls told;

  /** All that comes from outside: folders, configuration, the machine. */
  public record Setup(
      Identity identity,
      AttemptPaths places,
      MachineSetup machine,
      Policy policy,
      LocalEngine.Setup engine,
      InstantSource clock,
      ZoneId zone) {}

  public record Identity(
      Owner owner, Path data, Path run, Path socket, String host, String version) {}

  public record MachineSetup(
      GpuProbe probe, Ranges cpus, long memory, Ranges ports, Config.Gpu gpu, String processes) {}

  public record Policy(
      Grace grace,
      UsageLimits limits,
      gflow.script.order.Defaults defaults,
      Config.Limits sizes,
      long diskFloor,
      Optional<Duration> keepHistory,
      Config.Log log,
      Config.Fencing fencing,
      Config.Mps mps) {}

  public Daemon(Setup setup, Store store) throws StoreException {
    this.setup = setup;
    this.store = store;
    startedAt = setup.clock().instant();
    problems = new Problems(setup.clock(), (problem, open) -> changed(new Thing.OpenProblems()));
    bugs = new ContainedBugs(line -> problems.report(Kind.BUG, "", line, ContainedBugs.REMEDY));
    if (setup.places().temporary().startsWith(setup.identity().data())) {
      String folder = "/tmp/gflow-" + setup.identity().owner().uid();
      problems.report(
          Kind.TEMPORARY,
          "",
          "somebody else has made " + folder + ": jobs have their TMPDIR in the data folder",
          "root removes it, then gflowd restart");
    }
    poison = new PoisonedRequests(setup.identity().run().resolve("poison"), problems);
    Store.Loaded loaded = store.load();
    var clocks = new Clocks(setup.clock(), BootTime::now);
    Optional<Instant> clockWas = Clocks.kept(loaded.settings(), Proc.bootId());
    var ledger = new Ledger(store.history());
    var recovery = new Recovery();
    // Until the first turn all times are those of the clock as it was.
    recovery.fill(ledger, loaded, setup.policy().grace(), clocks.nowBy(clockWas));
    var core =
        new Core(ledger, inventory(loaded), setup.policy().grace(), Routing.HERE, loaded.nextId());
    core.ports(new Ports(setup.machine().ports(), FreePort::isFree));
    core.clockWas(clockWas);
    core.steps().fill(loaded.steps());
    core.loans().fill(loaded.loans());
    core.health().use().fill(loaded.gpus());
    HaltPoints halts = setup.engine().halts();
    loop =
        new Loop(
            new TurnRunner(core, store, new Commits(halts, problems, changes, setup.clock()), bugs),
            clocks,
            this.hooks());
    var ends = new LookFirst(loop);
    local = new LocalEngine(setup.engine(), id -> blob(store, id), ends);
    local.tellOfMps(problems::ofServer);
    engines = new EngineRouter(local, Map.of());
    var logs = new AttemptLogFiles(setup.places());
    views = new Views(setup.zone(), logs, setup.engine().gpus().binding());
    var refs = new JobFinder(store.history());
    var context = new ServiceContext(loop, store, views, refs, setup.clock(), setup.zone());
    waiters = new Waiters(loop);
    starts = new Waiters(loop);
    gpus =
        new GpuWatch(
            setup.machine().probe(),
            gpuRules(setup),
            context,
            problems,
            DRIVER_PATIENCE,
            () -> changed(new Thing.Machine()));
    housekeeping = new Housekeeping(context, logs, forgetting(setup), problems, bugs);
    parts = parts(context, logs);
    AttemptFolders.sweep(setup.places(), recovery.attempts());
    // What ended while nobody looked is told before the attempts that it belongs to.
    core.steps().running().forEach(step -> engines.run(new Effect.BeginStep(step)));
    recovery.adopt(engines);
    core.loans().effects().forEach(engines::run);
    local.awaitAdopted();
    core.diskLow(housekeeping.diskLow());
    loop.start();
    housekeeping.start();
    gpus.lookSoon();
    ends.with(gpus::lookNow);
    LOG.log(
        Level.INFO,
        "gflowd "
            + setup.identity().version()
            + " with "
            + loaded.jobs().size()
            + " unfinished jobs, "
            + recovery.count()
            + " attempts to look after; GPUs: "
            + setup.machine().probe().source());
  }

  private Service.Parts parts(ServiceContext context, LogFiles logs) {
    var rules =
        new Submitting.Rules(
            setup.policy().defaults(),
            setup.policy().sizes(),
            new SceneChecks(setup.places()),
            fences(),
            mps());
    AnswerLimits room = AnswerLimits.ofThisProcess();
    var submitting = new Submitting(context, logs, rules, room);
    var reading = new Querying(context, logs, room);
    GpuProbe probe = setup.machine().probe();
    var operating =
        new Operating(
            context,
            setup.identity().host(),
            probe.source(),
            probe.simulated(),
            Views.partitions(setup.policy().defaults()),
            new ControlsShown(
                setup.machine().gpu().ignoreUsers(), setup.machine().gpu().ignoreCommands()));
    var stepping = new Stepping(context, local.steps(), setup.identity().host());
    return new Service.Parts(
        new Authority(setup.identity().owner()),
        new Requests(bugs, poison),
        submitting,
        new Editing(context, submitting),
        reading,
        stepping,
        new Joining(context, reading, local.steps(), starts, setup.identity().host()),
        new InJobRequests(context),
        operating,
        waiters,
        new ChangeFeed(context, changes, reading, stepping, operating, problems, gpus::lookSoon),
        new Life());
  }

  private FenceRule fences() {
    return new FenceRule(setup.policy().fencing(), fence().gpus(), fence()::problem);
  }

  private MpsRule mps() {
    boolean installed = setup.engine().gpus().mps().program().isPresent();
    return MpsRule.of(setup.policy().mps(), installed, setup.machine().probe());
  }

  private Fence fence() {
    return setup.engine().gpus().fence();
  }

  private Inventory inventory(Store.Loaded loaded) {
    MachineSetup m = setup.machine();
    var stock =
        new Inventory.Stock(
            m.probe().devices(),
            m.probe().simulated(),
            m.cpus(),
            m.memory(),
            setup.policy().diskFloor(),
            Proc.bootId());
    String text = loaded.settings().get(OperatorControls.KEY);
    var kept = KeptControls.read(text, setup.policy().limits(), stock.devices());
    kept.unread()
        .ifPresent(
            why -> {
              String line = "what gctl had said cannot all be read: " + why;
              problems.report(Kind.CONTROLS, "", line, "ginfo shows what holds; gctl says it anew");
              LOG.log(Level.WARNING, line + "; it was: " + text);
            });
    return new Inventory(stock, kept.controls());
  }

  private static GpuWatch.Rules gpuRules(Setup setup) {
    Config.Gpu gpu = setup.machine().gpu();
    return new GpuWatch.Rules(
        gpu.foreignMemory(),
        gpu.ignoreUsers(),
        gpu.ignoreCommands(),
        gpu.trespass(),
        setup.engine().marks());
  }

  private static Housekeeping.Rules forgetting(Setup setup) {
    Policy p = setup.policy();
    return new Housekeeping.Rules(
        setup.identity().data(), setup.places().logs(), p.diskFloor(), p.keepHistory(), p.log());
  }

  private static byte[] blob(Store store, gflow.job.BlobId id) throws IOException {
    try {
      return store.blob(id).orElseThrow(() -> new IOException("lost from the database: " + id));
    } catch (StoreException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** The parts are there when the loop's thread runs, though not yet while this is written. */
  private Loop.Hooks hooks() {
    return new Loop.Hooks(
        effect -> engines.run(effect),
        this::tell,
        when -> gpus.look(when),
        requests -> {
          poison.died(requests);
          Runtime.getRuntime().halt(BROKEN);
        });
  }

  private void tell(Core core, TurnRunner.Turn turn) {
    try {
      tellAll(core, turn);
    } catch (RuntimeException e) {
      bugs.contain("telling what happened", e);
    }
  }

  private void tellAll(Core core, TurnRunner.Turn turn) {
    tellProblems(core);
    if (turn.news().stream().anyMatch(n -> n.state() instanceof TaskState.Ended)) {
      waiters.look(core);
    }
    if (turn.news().stream().anyMatch(n -> !(n.state() instanceof TaskState.Pending))) {
      starts.look(core);
      housekeeping.started();
      gpus.follow(core);
    }
  }

  private void changed(Thing thing) {
    changes.changed(List.of(thing), setup.clock().instant());
  }

  private void tellProblems(Core core) {
    core.trouble()
        .ifPresent(
            why ->
                problems.report(
                    Kind.STORE, "", "nothing can be kept: " + why, "it is tried again"));
    problems.set(
        Kind.PAUSED,
        "",
        core.inventory().controls().paused().map(why -> "paused " + why),
        "gctl resume");
    tellSickGpus(core);
    problems.set(Kind.START, "", core.ledger().setbacks().problem(), "it is tried again");
    problems.set(
        Kind.DEPENDENCIES,
        "",
        core.ledger().parents().unread().map(why -> "dependencies cannot be looked up: " + why),
        "it is tried again");
  }

  private void tellSickGpus(Core core) {
    OperatorControls controls = core.inventory().controls();
    if (controls.equals(told)) {
      return;
    }
    told = controls;
    SortedMap<Integer, String> sick = core.health().sick();
    for (GpuDevice gpu : core.inventory().devices()) {
      problems.set(
          Kind.GPU,
          "GPU " + gpu.index() + " drained",
          Optional.ofNullable(sick.get(gpu.index()))
              .map(why -> "GPU " + gpu.index() + " is drained, " + why),
          "gctl undrain " + gpu.index() + " when it is sound again");
    }
  }

  /** Where bugs go that a face of the daemon meets. */
  public ContainedBugs bugs() {
    return bugs;
  }

  /** The service for one caller. */
  public Gflow service(Owner caller) {
    return new Service(caller, parts);
  }

  public void awaitDown() throws InterruptedException {
    down.await();
  }

  public void goDown() {
    down.countDown();
  }

  /** Stops at the commits that a test names. One that came through ends the problem of others. */
  private record Commits(
      HaltPoints halts, Problems problems, ChangeRing changed, InstantSource clock)
      implements CommitHooks {
    @Override
    public void before(String what, List<Change> changes) {
      if (changes.stream().anyMatch(c -> c instanceof Change.AttemptStarted)) {
        halts.pass(Point.BEFORE_START_COMMIT);
      }
      if (changes.stream().anyMatch(c -> c instanceof Change.AttemptEnded)) {
        halts.pass(Point.BEFORE_END_COMMIT);
      }
    }

    @Override
    public void after(String what, List<Change> changes) {
      changed.committed(changes, clock.instant());
      problems.solved(Kind.STORE, "");
      if (changes.stream()
          .anyMatch(
              c -> c instanceof Change.Setting(var key, _) && key.equals(OperatorControls.KEY))) {
        problems.solved(Kind.CONTROLS, "");
      }
      if (changes.stream().anyMatch(c -> c instanceof Change.AttemptStarted)) {
        halts.pass(Point.AFTER_START_COMMIT);
      }
      if (changes.stream().anyMatch(c -> c instanceof Change.AttemptEnded)) {
        halts.pass(Point.AFTER_END_COMMIT);
      }
    }
  }

  private final class Life implements Service.Life {
    @Override
    public DaemonStatus status() throws Refusal {
      Identity me = setup.identity();
      GpuProbe probe = setup.machine().probe();
      record Counts(long running, long pending) {}
      Counts counts =
          loop.look(
              core -> new Counts(core.ledger().holdings().size(), core.ledger().waitingTasks()));
      return new DaemonStatus(
          ProcessHandle.current().pid(),
          me.version(),
          me.host(),
          views.time(startedAt),
          me.data().toString(),
          me.socket().toString(),
          probe.source(),
          probe.devices().size(),
          probe.simulated(),
          setup.machine().cpus().size(),
          setup.machine().memory(),
          setup.machine().processes(),
          fences().shown(fence().isTried()),
          mps().shown(),
          setup.policy().defaults().site().ignoredOptions(),
          counts.running(),
          counts.pending(),
          problems.lines(),
          problems.all().stream().map(views::problem).toList());
    }

    @Override
    public Gflow.Done down(boolean cancelJobs, Owner caller) throws Refusal {
      if (cancelJobs) {
        parts.editing().cancel(Gflow.Selection.ALL, caller);
        waiters.await(core -> core.ledger().jobs().isEmpty());
      }
      int running = loop.look(core -> core.ledger().holdings().size());
      Thread.ofVirtual().start(down::countDown);
      String jobs = running == 1 ? "1 job goes on" : running + " jobs go on";
      return new Gflow.Done("gflowd", true, running == 0 ? "down" : "down; " + jobs);
    }

    @Override
    public void lookAtGpus() {
      gpus.lookNow();
    }
  }

  @Override
  public void close() {
    housekeeping.close();
    gpus.close();
    waiters.close();
    starts.close();
    changes.close();
    loop.close();
    local.close();
    store.close();
  }
}
