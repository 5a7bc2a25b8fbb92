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
import gflow.daemon.service.ControlsShown;
import gflow.daemon.service.Editing;
import gflow.daemon.service.FenceRule;
import gflow.daemon.service.InJobRequests;
import gflow.daemon.service.Joining;
import gflow.daemon.service.MpsRule;
import gflow.daemon.service.Operating;
import gflow.daemon.service.Querying;
import gflow.daemon.service.Service;
import gflow.daemon.service.ServiceContext;
import gflow.daemon.service.Stepping;
import gflow.daemon.service.Submitting;
import gflow.daemon.service.Views;
import gflow.daemon.service.Waiters;
import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Effect;
import gflow.job.Engine;
import gflow.job.JobSpec;
import gflow.job.MpsReason;
import gflow.job.Owner;
import gflow.job.Ranges;
import gflow.job.TaskEvent;
import gflow.local.AttemptPaths;
import gflow.local.LocalEngine;
import gflow.plan.UsageLimits;
import gflow.script.order.Defaults;
import gflow.store.Change;
import gflow.store.Store;
import gflow.store.Store.StoreException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The daemon in which time stands still: the real core, loop and service, put together as {@link
 * Daemon} does it, over a store that a test has filled. Its engine says of all that the store has
 * as running that it runs, and does nothing: no process is started, and none is there. So it cannot
 * answer for steps that begin and programs that join a job, which are questions about processes.
 */
public final class StillDaemon implements AutoCloseable {
  private static final Config.Limits SIZES =
      new Config.Limits(OptionalInt.empty(), OptionalInt.empty(), 1_000_000, 100_000);

  private final Setup setup;
  private final Problems problems;
  private final ChangeRing changes = new ChangeRing(10_000);
  private final ContainedBugs bugs;
  private final Loop loop;
  private final Views views;
  private final ServiceContext context;
  private final Waiters waiters;
  private final Waiters starts;
  private final Service.Parts parts;

  /** All that comes from outside. */
  public record Setup(
      Owner owner,
      Inventory.Stock stock,
      Defaults defaults,
      AttemptPaths places,
      Instant now,
      ZoneId zone) {
    /** Anna's, with four CPUs and no GPU: what wants one waits. */
    public static Setup bare() {
      Path nowhere = Path.of("/nowhere");
      return new Setup(
          Specs.ANNA,
          new Inventory.Stock(List.of(), true, Ranges.firstN(4), 1L << 36, 0, "boot"),
          Defaults.NONE,
          new AttemptPaths(nowhere, nowhere, nowhere, "h"),
          Specs.T0,
          ZoneOffset.UTC);
    }

    InstantSource clock() {
      return InstantSource.fixed(now);
    }
  }

  public StillDaemon(Setup setup, Store store) throws StoreException {
    this.setup = setup;
    problems =
        new Problems(
            setup.clock(),
            (problem, open) ->
                changes.changed(List.of(new ChangeRing.Thing.OpenProblems()), setup.now()));
    bugs = new ContainedBugs(line -> problems.report(Kind.BUG, "", line, ContainedBugs.REMEDY));
    Store.Loaded loaded = store.load();
    var clocks = new Clocks(setup.clock(), () -> Duration.ZERO);
    var ledger = new Ledger(store.history());
    var recovery = new Recovery();
    recovery.fill(ledger, loaded, Specs.grace(Duration.ZERO), setup.now());
    var core =
        new Core(
            ledger,
            inventory(loaded.settings().get(OperatorControls.KEY)),
            Specs.grace(Duration.ZERO),
            Routing.HERE,
            loaded.nextId());
    core.steps().fill(loaded.steps());
    core.loans().fill(loaded.loans());
    core.health().use().fill(loaded.gpus());
    loop = new Loop(new TurnRunner(core, store, new Committed(), bugs), clocks, hooks());
    views = new Views(setup.zone(), new AttemptLogFiles(setup.places()), LocalEngine.Binding.NONE);
    var finder = new JobFinder(store.history());
    context = new ServiceContext(loop, store, views, finder, setup.clock(), setup.zone());
    waiters = new Waiters(loop);
    starts = new Waiters(loop);
    parts = joined();
    recovery.adopt(new Still(loop));
    loop.start();
  }

  private Inventory inventory(@Nullable String kept) {
    var controls = KeptControls.read(kept, UsageLimits.NONE, setup.stock().devices()).controls();
    return new Inventory(setup.stock(), controls);
  }

  private static MpsRule mps(Setup setup) {
    var instead = Optional.of(MpsReason.SIMULATED).filter(_ -> setup.stock().simulated());
    return new MpsRule(Config.Mps.AUTO, false, instead, 24L << 30);
  }

  private Service.Parts joined() {
    var logs = new AttemptLogFiles(setup.places());
    AnswerLimits room = AnswerLimits.ofThisProcess();
    var fences =
        new FenceRule(Config.Fencing.AUTO, setup.stock().devices().size(), Optional::empty);
    var rules =
        new Submitting.Rules(setup.defaults(), SIZES, spec -> Optional.empty(), fences, mps(setup));
    var submitting = new Submitting(context, logs, rules, room);
    var reading = new Querying(context, logs, room);
    String host = setup.places().host();
    var stepping = new Stepping(context, null, host);
    var operating =
        new Operating(
            context,
            host,
            "simulated",
            setup.stock().simulated(),
            Views.partitions(setup.defaults()),
            new ControlsShown(List.of(), List.of()));
    Path poison = setup.places().temporary().resolve("poison");
    return new Service.Parts(
        new Authority(setup.owner()),
        new Requests(bugs, new PoisonedRequests(poison, problems)),
        submitting,
        new Editing(context, submitting),
        reading,
        stepping,
        new Joining(context, reading, null, starts, host),
        new InJobRequests(context),
        operating,
        waiters,
        new ChangeFeed(context, changes, reading, stepping, operating, problems, () -> {}),
        new Life());
  }

  private Loop.Hooks hooks() {
    return new Loop.Hooks(
        effect -> {},
        (core, turn) -> {
          waiters.look(core);
          starts.look(core);
        },
        _ -> {},
        broken -> {});
  }

  public Gflow service() {
    return new Service(setup.owner(), parts);
  }

  /** For what a test makes happen: news of attempts, looks at GPUs. */
  public Loop loop() {
    return loop;
  }

  public ServiceContext context() {
    return context;
  }

  public Service.Parts parts() {
    return parts;
  }

  public ChangeRing changes() {
    return changes;
  }

  public Problems problems() {
    return problems;
  }

  @Override
  public void close() {
    changes.close();
    waiters.close();
    starts.close();
    loop.close();
  }

  /** Whatever has started runs on. */
  private record Still(Engine.Listener listener) implements Engine {
    @Override
    public void run(Effect effect) {}

    @Override
    public void adopt(AttemptId id, JobSpec spec, Attempt attempt) {
      listener.happened(id, new TaskEvent.Spawned(attempt.startedAt()));
    }
  }

  private final class Committed implements CommitHooks {
    @Override
    public void before(String what, List<Change> all) {}

    @Override
    public void after(String what, List<Change> all) {
      changes.committed(all, setup.now());
    }
  }

  private final class Life implements Service.Life {
    @Override
    public DaemonStatus status() throws Refusal {
      Inventory.Stock stock = setup.stock();
      record Counts(long running, long pending) {}
      Counts counts =
          loop.look(
              core -> new Counts(core.ledger().holdings().size(), core.ledger().waitingTasks()));
      return new DaemonStatus(
          4242,
          "0.1.0",
          setup.places().host(),
          views.time(setup.now().minus(Duration.ofHours(4))),
          "/home/alice/.local/share/gflow",
          "/run/user/1000/gflow/socket",
          "simulated",
          stock.devices().size(),
          stock.simulated(),
          stock.cpus().size(),
          stock.memory(),
          "cgroup v2",
          "jobs that speak Slurm or have MPS",
          mps(setup).shown(),
          setup.defaults().site().ignoredOptions(),
          counts.running(),
          counts.pending(),
          problems.lines(),
          problems.all().stream().map(views::problem).toList());
    }

    @Override
    public Gflow.Done down(boolean cancelJobs, Owner caller) throws Refusal {
      throw new Refusal("this daemon does not end");
    }

    @Override
    public void lookAtGpus() {}
  }
}
