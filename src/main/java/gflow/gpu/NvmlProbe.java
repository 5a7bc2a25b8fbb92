package gflow.gpu;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** The real GPUs of this machine. */
final class NvmlProbe implements GpuProbe {
  private final NvmlLibrary library;
  private final List<NvmlGpu> gpus;
  private final String source;
  private final ProcFs proc = new ProcFs(Path.of("/proc"));
  private final ReentrantReadWriteLock calls = new ReentrantReadWriteLock();
  private final Optional<NvmlEvents> events;
  private boolean closed;

  NvmlProbe(NvmlLibrary library, List<NvmlGpu> gpus, String source) {
    this.library = library;
    this.gpus = gpus;
    this.source = source;
    events = NvmlEvents.of(library, gpus.stream().filter(gpu -> !gpu.device().id().mig()).toList());
  }

  @Override
  public List<GpuDevice> devices() {
    return gpus.stream().map(NvmlGpu::device).toList();
  }

  @Override
  public Optional<GpuReading> sample(GpuDevice device) {
    calls.readLock().lock();
    try {
      return closed
          ? Optional.empty()
          : gpus.stream()
              .filter(gpu -> gpu.device().equals(device))
              .findFirst()
              .map(gpu -> GpuSample.of(library, gpu, proc));
    } finally {
      calls.readLock().unlock();
    }
  }

  @Override
  public OptionalInt deviceNumber(GpuDevice device) {
    return gpus.stream()
        .filter(gpu -> gpu.device().equals(device))
        .map(NvmlGpu::minor)
        .findFirst()
        .orElse(OptionalInt.empty());
  }

  @Override
  public boolean tellsFaults() {
    return events.isPresent();
  }

  @Override
  public Optional<Fault> awaitFault(Duration wait) {
    calls.readLock().lock();
    try {
      return closed || events.isEmpty() ? Optional.empty() : events.get().await(wait);
    } finally {
      calls.readLock().unlock();
    }
  }

  @Override
  public boolean simulated() {
    return false;
  }

  @Override
  public String source() {
    return source;
  }

  @Override
  public void close() {
    // A sample can hang on a sick GPU. Then the daemon ends without the shutdown, which the
    // driver does for every process that goes away.
    if (!calls.writeLock().tryLock()) {
      return;
    }
    try {
      if (!closed) {
        closed = true;
        library.call(NvmlLibrary.Function.SHUTDOWN);
      }
    } finally {
      calls.writeLock().unlock();
    }
  }
}
