package gflow.daemon;

import gflow.gpu.GpuProbe;
import gflow.gpu.GpuReading;
import gflow.job.GpuId;
import gflow.local.Marks;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Looks at the cards, in a thread of its own because a sick card can make the driver hang. There
 * are no events for outsiders, so it looks when a job is about to start and the last look is old,
 * every two seconds while an outsider keeps waiting work from starting, and when somebody asks.
 */
final class GpuWatch implements AutoCloseable {
  private static final Logger LOG = System.getLogger("gflow.gpu");
  private static final int AGAIN_SECONDS = 2;
  private static final int PATIENCE_SECONDS = 2;

  private final GpuProbe probe;
  private final Strangers strangers;
  private final Loop loop;
  private final AtomicBoolean asked = new AtomicBoolean();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("gflow-gpus").daemon().factory());

  /** Whose processes count as outsiders; those with our mark are our jobs'. */
  record Rules(
      long foreignMemory, List<String> ignoreUsers, List<String> ignoreCommands, Marks marks) {}

  GpuWatch(GpuProbe probe, Rules rules, Loop loop) {
    this.probe = probe;
    strangers = new Strangers(rules);
    this.loop = loop;
  }

  /** Has a look made soon; several requests make one look. */
  void lookSoon() {
    if (!probe.simulated() && !thread.isShutdown() && asked.compareAndSet(false, true)) {
      thread.execute(this::look);
    }
  }

  /** Has a look made and waits for it, but not for ever. */
  void lookNow() {
    if (probe.simulated() || probe.devices().isEmpty()) {
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
    try {
      List<GpuReading> readings = probe.sample();
      TreeMap<GpuId, String> outsiders =
          strangers.on(
              readings,
              loop.look(core -> core.inventory().controls()),
              loop.look(core -> core.loans().places(core::home)));
      boolean again =
          loop.ask(
              (core, now) -> {
                core.inventory().sampled(readings, outsiders, now);
                return core.waitsForOutsiders();
              });
      if (again) {
        var _ = thread.schedule(this::lookSoon, AGAIN_SECONDS, TimeUnit.SECONDS);
      }
    } catch (Refusal | RuntimeException e) {
      LOG.log(Level.WARNING, "could not look at the GPUs: " + e.getMessage());
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
