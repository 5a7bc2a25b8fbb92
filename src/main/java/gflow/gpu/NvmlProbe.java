package gflow.gpu;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** The real cards of this machine. */
final class NvmlProbe implements GpuProbe {
  private final NvmlLibrary library;
  private final List<NvmlGpu> cards;
  private final String source;
  private final ProcFs proc = new ProcFs(Path.of("/proc"));
  private final ReentrantReadWriteLock calls = new ReentrantReadWriteLock();
  private boolean closed;

  NvmlProbe(NvmlLibrary library, List<NvmlGpu> cards, String source) {
    this.library = library;
    this.cards = cards;
    this.source = source;
  }

  @Override
  public List<GpuDevice> devices() {
    return cards.stream().map(NvmlGpu::device).toList();
  }

  @Override
  public Optional<GpuReading> sample(GpuDevice device) {
    calls.readLock().lock();
    try {
      return closed
          ? Optional.empty()
          : cards.stream()
              .filter(card -> card.device().equals(device))
              .findFirst()
              .map(card -> GpuSample.of(library, card, proc));
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
    // A sample can hang on a sick card. Then the daemon ends without the shutdown, which the
    // driver does for every process that goes away.
    if (!calls.writeLock().tryLock()) {
      return;
    }
    try {
      if (!closed) {
        closed = true;
        library.shutdown();
      }
    } finally {
      calls.writeLock().unlock();
    }
  }
}
