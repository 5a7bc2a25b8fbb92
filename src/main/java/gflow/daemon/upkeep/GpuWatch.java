package gflow.daemon.upkeep;

import static java.time.temporal.ChronoUnit.SECONDS;

import gflow.config.Config;
import gflow.daemon.core.Core;
import gflow.daemon.core.Inventory;
import gflow.daemon.core.Loop;
import gflow.daemon.core.Loop.GpuLook;
import gflow.daemon.core.Problem.Kind;
import gflow.daemon.core.Problems;
import gflow.daemon.core.Refusal;
import gflow.daemon.service.ServiceContext;
import gflow.daemon.upkeep.GpuOutsiders.Trespasser;
import gflow.gpu.GpuProbe;
import gflow.gpu.GpuReading;
import gflow.job.GpuId;
import gflow.local.AttemptMarks;
import gflow.process.Signals;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Looks at the GPUs, each in a thread of its own because a sick GPU can make the driver hang: then
 * that one is out of use until it answers, and the others are as usual. There are no events for
 * outsiders, so it looks when a job is about to start and the last look is old, every two seconds
 * while an outsider keeps waiting work from starting, and when somebody asks.
 */
public final class GpuWatch implements AutoCloseable {
  private static final Logger LOG = System.getLogger("gflow.gpu");
  private static final String LOOKING = "could not look at the GPUs";
  private static final int AGAIN_SECONDS = 2;
  private static final int HELD_SECONDS = 10;
  private static final int PATIENCE_SECONDS = 2;
  private static final Duration HEARING = Duration.ofSeconds(5);
  private static final String NOT_ITS_OWN = " a GPU that is not its own";

  private final GpuProbe probe;
  private final GpuOutsiders strangers;
  private final long little;
  private final ServiceContext context;
  private final Problems problems;
  private final Duration patience;
  private final Runnable seen;
  private final List<GpuEye> eyes;
  private final AtomicBoolean asked = new AtomicBoolean();
  private final AtomicBoolean planned = new AtomicBoolean();
  private final AtomicBoolean following = new AtomicBoolean();
  private final AtomicBoolean oftener = new AtomicBoolean();
  private final GpuLog log = new GpuLog();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("gflow-gpus").daemon().factory());

  /** Whose processes count as outsiders; those with our mark are our jobs'. */
  public record Rules(
      long foreignMemory,
      List<String> ignoreUsers,
      List<String> ignoreCommands,
      Config.Trespass trespass,
      AttemptMarks marks) {}

  /**
   * {@code patience}: for so long the driver may think about a GPU; {@code seen} is called after
   * each look.
   */
  public GpuWatch(
      GpuProbe probe,
      Rules rules,
      ServiceContext context,
      Problems problems,
      Duration patience,
      Runnable seen) {
    this.probe = probe;
    strangers = new GpuOutsiders(rules);
    little = rules.foreignMemory();
    this.context = context;
    this.problems = problems;
    this.patience = patience;
    this.seen = seen;
    eyes = probe.devices().stream().map(d -> new GpuEye(d, probe, this::lookSoon)).toList();
    if (probe.tellsFaults()) {
      Thread.ofPlatform().name("gflow-gpu-faults").daemon().start(this::hear);
    }
  }

  /** From the loop. */
  public void look(GpuLook when) {
    switch (when) {
      case SOON -> lookSoon();
      case LATER -> lookLater();
    }
  }

  private void lookLater() {
    lookIn(AGAIN_SECONDS, planned);
  }

  /** From the loop when something has started, and after each look: jobs on GPUs are followed. */
  public void follow(Core core) {
    if (looks()) {
      JobsOnGpus.next(core, HELD_SECONDS).ifPresent(this::lookWhileHeld);
    }
  }

  /** One that wants it more often need not wait for the next look of the others. */
  private void lookWhileHeld(int seconds) {
    lookIn(seconds, seconds < HELD_SECONDS ? oftener : following);
  }

  private boolean looks() {
    return !probe.simulated() && !probe.devices().isEmpty();
  }

  private void lookIn(int seconds, AtomicBoolean once) {
    if (!probe.simulated() && !thread.isShutdown() && once.compareAndSet(false, true)) {
      Runnable look =
          () -> {
            once.set(false);
            lookSoon();
          };
      var _ = thread.schedule(look, seconds, TimeUnit.SECONDS);
    }
  }

  /** Has a look made soon; several requests make one look. */
  public void lookSoon() {
    if (!probe.simulated() && !thread.isShutdown() && asked.compareAndSet(false, true)) {
      thread.execute(this::look);
    }
  }

  /** Has a look made and waits for it, but not for ever. */
  public void lookNow() {
    if (!looks()) {
      return;
    }
    var done = new CountDownLatch(1);
    thread.execute(
        () -> {
          look();
          done.countDown();
        });
    try {
      done.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look() {
    asked.set(false);
    Loop loop = context.loop();
    try {
      // Asked for before the look begins: what changes meanwhile makes it too old.
      long began = loop.look(core -> core.inventory().looks());
      List<GpuReading> readings = sample();
      Map<String, List<GpuId>> places = loop.look(MemoryInUse::places);
      TreeMap<GpuId, String> outsiders =
          strangers.on(readings, loop.look(core -> core.inventory().controls()), places);
      trespass(readings, places);
      Map<GpuId, Map<String, Long>> ours = strangers.ours(readings);
      var jobs = new JobsOnGpus(readings, ours, strangers.withoutMps(readings, numbers()));
      loop.ask(
          (core, now) -> {
            var promises = MemoryInUse.promises(core);
            var beyond = MemoryInUse.beyond(promises, readings, ours, little);
            for (GpuReading reading : readings) {
              core.health()
                  .seen(reading, ours.containsKey(reading.id()), little, now)
                  .ifPresent(left -> outsiders.putIfAbsent(reading.id(), left));
            }
            var sample = new Inventory.Sample(readings, outsiders, beyond);
            core.inventory().sampled(began, sample, now);
            jobs.note(core, now);
            follow(core);
            return now;
          });
      loop.look(core -> jobs.wanted(core, context.views().logs()))
          .forEach(one -> log.write(one.file(), one.gpus(), one.job(), context.now()));
      problems.solved(Kind.UPKEEP, LOOKING);
      seen.run();
    } catch (Refusal | RuntimeException e) {
      LOG.log(Level.WARNING, LOOKING + ": " + e.getMessage());
      problems.report(Kind.UPKEEP, LOOKING, LOOKING + ": " + e.getMessage(), "");
      lookLater();
    }
  }

  private Map<GpuId, Integer> numbers() {
    var numbers = new TreeMap<GpuId, Integer>();
    probe.devices().forEach(device -> numbers.put(device.id(), device.index()));
    return numbers;
  }

  private void trespass(List<GpuReading> readings, Map<String, List<GpuId>> places) {
    List<Trespasser> found = strangers.trespassers(readings, places);
    boolean kill = strangers.rules().trespass() == Config.Trespass.KILL;
    if (kill) {
      found.forEach(one -> Signals.send(one.process(), Signals.KILL));
    }
    problems.set(
        Kind.GPU,
        "trespass",
        found.stream()
            .map(one -> one.words() + (kill ? " was killed on" : " is on") + NOT_ITS_OWN)
            .findFirst(),
        "its program chose it whatever CUDA_VISIBLE_DEVICES says; [gpu] trespass = \"kill\" ends"
            + " it");
  }

  /** Hears of errors until the end, in a thread that is inside the driver nearly all the time. */
  private void hear() {
    while (!thread.isShutdown()) {
      probe.awaitFault(HEARING).ifPresent(this::heard);
    }
  }

  private void heard(GpuProbe.Fault fault) {
    LOG.log(Level.WARNING, fault.xid() + " on " + fault.gpu());
    try {
      context
          .loop()
          .ask((core, now) -> core.health().fault(fault, now))
          .ifPresent(
              line ->
                  problems.report(
                      Kind.GPU, line, line, "gctl drain takes the GPU out if it is not sound"));
    } catch (Refusal | RuntimeException e) {
      LOG.log(Level.WARNING, "could not note " + fault.xid() + ": " + e.getMessage());
    }
  }

  /** Of a GPU that the driver is given up for, what was seen last. */
  private List<GpuReading> sample() {
    eyes.forEach(GpuEye::begin);
    long end = System.nanoTime() + patience.toNanos();
    boolean hangs = false;
    for (GpuEye eye : eyes) {
      hangs |= eye.hangs(end, context.clock());
    }
    // What the others have said while we waited for it is old by now.
    return hangs ? sample() : eyes.stream().map(this::reading).toList();
  }

  private GpuReading reading(GpuEye eye) {
    GpuReading reading =
        eye.reading(
            at -> LocalDateTime.ofInstant(at, context.zone()).truncatedTo(SECONDS).toString());
    String gpu = "GPU " + eye.device().index();
    problems.set(
        Kind.GPU,
        gpu,
        reading.trouble().map(why -> gpu + ": " + why),
        "nvidia-smi says more, dmesg has the driver's errors; nothing starts there until it is"
            + " back");
    return reading;
  }

  @Override
  public void close() {
    thread.shutdownNow();
    eyes.forEach(GpuEye::close);
    log.close();
  }
}
