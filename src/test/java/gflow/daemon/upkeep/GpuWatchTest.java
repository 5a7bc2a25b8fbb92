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
import gflow.gpu.GpuDevice;
import gflow.gpu.GpuProbe;
import gflow.gpu.GpuProcess;
import gflow.gpu.GpuReading;
import gflow.job.GpuFilter;
import gflow.job.GpuId;
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
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A driver that does not answer for one GPU. */
class GpuWatchTest {
  private static final List<GpuDevice> DEVICES = List.of(device(0), device(1));

  private final MemoryStore store = new MemoryStore();
  private final Driver driver = new Driver();
  private final Problems problems = new Problems(InstantSource.system(), (problem, open) -> {});
  private final Loop loop = loop();
  private final Views views = new Views(ZoneOffset.UTC, new NoLogs(), LocalEngine.Binding.NONE);
  private final GpuWatch watch = watch();

  private static GpuDevice device(int index) {
    return new GpuDevice(new GpuId("GPU-" + index), index, "a100", 1L << 36, Ranges.EMPTY, false);
  }

  /** Its second GPU hangs until it is told. */
  private static final class Driver implements GpuProbe {
    private final CountDownLatch told = new CountDownLatch(1);
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private volatile boolean broken;
    private volatile long outsider;

    @Override
    public List<GpuDevice> devices() {
      return DEVICES;
    }

    @Override
    public Optional<GpuReading> sample(GpuDevice device) {
      if (device.index() == 1) {
        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
        try {
          told.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        inside.decrementAndGet();
      }
      GpuReading idle = GpuReading.none(device.id());
      if (outsider > 0) {
        return Optional.of(used(device.id()));
      }
      return Optional.of(broken ? idle.with("it fell off the bus") : idle);
    }

    private GpuReading used(GpuId gpu) {
      var init = new GpuProcess(1, "bob", "python", OptionalLong.of(outsider));
      return new GpuReading(
          gpu,
          OptionalLong.of(outsider),
          OptionalInt.empty(),
          OptionalInt.empty(),
          Optional.empty(),
          List.of(init),
          Optional.empty());
    }

    @Override
    public boolean simulated() {
      return false;
    }

    @Override
    public String source() {
      return "a test";
    }

    @Override
    public void close() {}
  }

  private Loop loop() {
    var stock = new Inventory.Stock(DEVICES, false, Ranges.firstN(4), 1L << 36, 0, "boot");
    var inventory = new Inventory(stock, OperatorControls.none(UsageLimits.NONE));
    var core =
        new Core(
            new Ledger(store.history()), inventory, Specs.grace(Duration.ZERO), Routing.HERE, 1);
    var hooks = new Loop.Hooks(effect -> {}, (c, turn) -> {}, this::look, broken -> {});
    var clocks = new Clocks(InstantSource.system(), BootTime::now);
    return new Loop(
        new TurnRunner(core, store, CommitHooks.NONE, new ContainedBugs(line -> {})),
        clocks,
        hooks);
  }

  private void look(Loop.GpuLook when) {
    watch.look(when);
  }

  private GpuWatch watch() {
    var finder = new JobFinder(store.history());
    var context =
        new ServiceContext(loop, store, views, finder, InstantSource.system(), ZoneOffset.UTC);
    var rules =
        new GpuWatch.Rules(
            0,
            List.of(),
            List.of(),
            Config.Trespass.REPORT,
            new AttemptMarks("mark", "secret", AttemptMarks.Early.NONE));
    return new GpuWatch(driver, rules, context, problems, Duration.ofMillis(50), () -> {});
  }

  @BeforeEach
  void start() {
    loop.start();
  }

  @AfterEach
  void stop() {
    driver.told.countDown();
    watch.close();
    loop.close();
  }

  private Job submit() throws Exception {
    return submit(Specs.gpus(1));
  }

  private Job submit(JobSpec spec) throws Exception {
    return loop.ask(
        (core, now) -> {
          core.note(new Change.PutBlob(spec.scene().environment(), new byte[] {'A', '='}));
          return core.submit(spec, now);
        });
  }

  private static void await(Callable<Boolean> what) throws Exception {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!what.call()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(end);
      LockSupport.parkNanos(1_000_000);
    }
  }

  private boolean runs(Job job) throws Refusal {
    return loop.look(core -> !core.ledger().job(job.id()).orElseThrow().live().isEmpty());
  }

  private String reason(Job job) throws Refusal {
    return loop.look(
        core ->
            new QueueListing(core, views, Specs.T0)
                .reason(core.ledger().job(job.id()).orElseThrow())
                .text());
  }

  @Test
  void who_comes_right_after_a_look_starts_when_a_gpu_is_free_again_though_nobody_asks()
      throws Exception {
    driver.told.countDown();
    driver.broken = true;
    watch.lookNow();
    Job job = submit();
    assertThat(reason(job)).contains("GPU 0 lost");

    driver.broken = false;
    await(() -> runs(job));
  }

  @Test
  void beside_an_outsider_memory_that_is_free_is_given_out_and_no_more() throws Exception {
    driver.told.countDown();
    driver.outsider = 10L << 30;
    Job fits = submit(memory(50L << 30));
    Job more = submit(memory(60L << 30));
    Job whole = submit();

    await(() -> runs(fits));
    assertThat(reason(more)).isEqualTo("Resources: GPU 1 has 54G of 64G free, 60G asked");
    assertThat(reason(whole)).contains("GPU 0 used by python of bob, pid 1, 10.0G");

    driver.outsider = 1;
    await(() -> runs(more));
  }

  private static JobSpec memory(long bytes) {
    return Specs.gpus(1).withRequest(new Request(1, 0, 0, GpuRequest.memory(bytes), GpuFilter.ANY));
  }

  @Test
  void the_others_are_given_out_who_needs_it_waits_with_the_reason_and_it_comes_back()
      throws Exception {
    Job first = submit();
    await(() -> runs(first));
    Job second = submit();

    await(() -> reason(second).contains("GPU 1 lost: the driver does not answer since 20"));
    assertThat(problems.lines()).hasSize(1);
    assertThat(problems.lines().getFirst()).startsWith("GPU 1: the driver does not answer since");
    watch.lookNow();
    watch.lookNow();
    assertThat(driver.most).as("threads inside the driver").hasValue(1);
    assertThat(runs(second)).isFalse();

    driver.told.countDown();

    await(() -> runs(second));
    assertThat(problems.lines()).isEmpty();
    assertThat(driver.most).hasValue(1);
  }
}
