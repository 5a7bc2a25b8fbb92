package gflow.daemon.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.api.ContainedBugs;
import gflow.config.Config;
import gflow.daemon.NoLogs;
import gflow.daemon.Specs;
import gflow.daemon.core.Clocks;
import gflow.daemon.core.CommitHooks;
import gflow.daemon.core.Core;
import gflow.daemon.core.Inventory;
import gflow.daemon.core.JobFinder;
import gflow.daemon.core.Ledger;
import gflow.daemon.core.Loop;
import gflow.daemon.core.OperatorControls;
import gflow.daemon.core.Problems;
import gflow.daemon.core.Refusal;
import gflow.daemon.core.Routing;
import gflow.daemon.core.TurnRunner;
import gflow.daemon.service.QueueListing;
import gflow.daemon.service.ServiceContext;
import gflow.daemon.service.Views;
import gflow.gpu.GpuProbe;
import gflow.job.GpuFilter;
import gflow.job.GpuRequest;
import gflow.job.Job;
import gflow.job.JobSpec;
import gflow.job.Ranges;
import gflow.job.Request;
import gflow.local.AttemptMarks;
import gflow.local.LocalEngine;
import gflow.plan.UsageLimits;
import gflow.process.BootTime;
import gflow.store.Change;
import gflow.store.MemoryStore;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** The loop of a daemon that starts no processes, and its look at GPUs that a driver tells of. */
final class WatchedGpus implements AutoCloseable {
  static final long GIB = 1L << 30;

  final MemoryStore store = new MemoryStore();
  final Problems problems = new Problems(InstantSource.system(), (problem, open) -> {});
  final Views views = new Views(ZoneOffset.UTC, new NoLogs(), LocalEngine.Binding.NONE);
  final AttemptMarks marks = new AttemptMarks("ours", "secret", AttemptMarks.Early.NONE);
  final Loop loop;
  final GpuWatch watch;
  private final GpuProbe probe;
  private final List<Process> processes = new ArrayList<>();

  WatchedGpus(GpuProbe probe) {
    this(probe, Config.Trespass.REPORT);
  }

  WatchedGpus(GpuProbe probe, Config.Trespass trespass) {
    this.probe = probe;
    loop = loop(probe);
    var finder = new JobFinder(store.history());
    var context =
        new ServiceContext(loop, store, views, finder, InstantSource.system(), ZoneOffset.UTC);
    var rules = new GpuWatch.Rules(GIB / 2, List.of(), List.of(), trespass, marks);
    watch = new GpuWatch(probe, rules, context, problems, Duration.ofSeconds(2), () -> {});
    loop.start();
  }

  private Loop loop(GpuProbe gpus) {
    var stock = new Inventory.Stock(gpus.devices(), false, Ranges.firstN(4), 64 * GIB, 0, "boot");
    var inventory = new Inventory(stock, OperatorControls.none(UsageLimits.NONE));
    var ledger = new Ledger(store.history());
    var core = new Core(ledger, inventory, Specs.grace(Duration.ZERO), Routing.HERE, 1);
    var hooks =
        new Loop.Hooks(effect -> {}, (c, turn) -> {}, when -> watch().look(when), broken -> {});
    var turns = new TurnRunner(core, store, CommitHooks.NONE, new ContainedBugs(line -> {}));
    return new Loop(turns, new Clocks(InstantSource.system(), BootTime::now), hooks);
  }

  private GpuWatch watch() {
    return watch;
  }

  Job submit(JobSpec spec) throws Refusal {
    return loop.ask(
        (core, now) -> {
          core.note(new Change.PutBlob(spec.scene().environment(), new byte[] {'A', '='}));
          return core.submit(spec, now);
        });
  }

  static JobSpec memory(long bytes) {
    return Specs.gpus(1).withRequest(new Request(1, 0, 0, GpuRequest.memory(bytes), GpuFilter.ANY));
  }

  /** A process that carries the mark of a job's first attempt. */
  long process(Job job) throws Exception {
    var builder = new ProcessBuilder("sleep", "600");
    builder.environment().put("GFLOW_MARK", marks.of(Specs.first(job)).value());
    processes.add(builder.start());
    return processes.getLast().pid();
  }

  boolean runs(Job job) throws Refusal {
    return loop.look(
        core -> core.ledger().job(job.id()).map(j -> !j.live().isEmpty()).orElse(false));
  }

  /** Why it waits. */
  String reason(Job job) throws Refusal {
    return loop.look(
        core ->
            new QueueListing(core, views, Specs.T0)
                .reason(core.ledger().job(job.id()).orElseThrow())
                .text());
  }

  /** What is said of it while it runs. */
  String notice(Job job) throws Refusal {
    return "" + loop.look(core -> core.health().use().notice(Specs.first(job)).orElse(""));
  }

  static void await(Callable<Boolean> what) throws Exception {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!what.call()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(end);
      LockSupport.parkNanos(1_000_000);
    }
  }

  @Override
  public void close() {
    watch.close();
    loop.close();
    probe.close();
    processes.forEach(Process::destroyForcibly);
  }
}
