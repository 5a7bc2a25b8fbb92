package gflow.daemon.upkeep;

import gflow.gpu.GpuDevice;
import gflow.gpu.GpuProbe;
import gflow.gpu.GpuReading;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Looks at one GPU, in the one thread that may be inside the driver for it: a sick GPU can hold
 * that for ever, and then it gets no second one. All but that thread's work is for one caller.
 */
final class GpuEye implements AutoCloseable {
  private final GpuDevice device;
  private final GpuProbe probe;
  private final Runnable wakes;
  private final ExecutorService thread;
  private GpuReading last;
  private @Nullable Future<Optional<GpuReading>> call;
  private volatile @Nullable Instant since;

  /** {@code wakes} is called when the driver answers that was given up. */
  GpuEye(GpuDevice device, GpuProbe probe, Runnable wakes) {
    this.device = device;
    this.probe = probe;
    this.wakes = wakes;
    last = GpuReading.none(device.id());
    String name = "gflow-gpu-" + device.index();
    thread = Executors.newSingleThreadExecutor(Thread.ofPlatform().name(name).daemon().factory());
  }

  GpuDevice device() {
    return device;
  }

  /** Looks, unless the driver still holds the last look. */
  void begin() {
    if (call == null) {
      call = thread.submit(this::look);
    }
  }

  private Optional<GpuReading> look() {
    try {
      return probe.sample(device);
    } finally {
      if (since != null) {
        wakes.run();
      }
    }
  }

  /** Waits for the look until then; true if the driver is given up with this. */
  boolean hangs(long endNanos, InstantSource clock) {
    boolean given = since != null;
    try {
      if (call != null) {
        long wait = given ? 0 : Math.max(0, endNanos - System.nanoTime());
        call.get(wait, TimeUnit.NANOSECONDS).ifPresent(reading -> last = reading);
        over();
      }
    } catch (TimeoutException e) {
      since = given ? since : clock.instant();
      return !given;
    } catch (ExecutionException e) {
      last = GpuReading.none(device.id()).with("cannot be read: " + e.getCause().getMessage());
      over();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  private void over() {
    call = null;
    since = null;
  }

  /** What was seen last; where the driver does not answer, marked as old. */
  GpuReading reading(Function<Instant, String> time) {
    Instant held = since;
    return held == null ? last : last.with("the driver does not answer since " + time.apply(held));
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
