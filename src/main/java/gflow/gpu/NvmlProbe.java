package gflow.gpu;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** The real cards of this machine. */
final class NvmlProbe implements GpuProbe {
  private final NvmlLibrary library;
  private final List<NvmlCard> cards;
  private final String source;
  private final ProcFs proc = new ProcFs(Path.of("/proc"));
  private final ReentrantLock calls = new ReentrantLock();
  private boolean closed;

  NvmlProbe(NvmlLibrary library, List<NvmlCard> cards, String source) {
    this.library = library;
    this.cards = cards;
    this.source = source;
  }

  @Override
  public List<GpuDevice> devices() {
    return cards.stream().map(NvmlCard::device).toList();
  }

  @Override
  public List<GpuReading> sample() {
    calls.lock();
    try {
      if (closed) {
        return List.of();
      }
      return cards.stream().map(card -> CardSample.of(library, card, proc)).toList();
    } finally {
      calls.unlock();
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
    if (!calls.tryLock()) {
      return;
    }
    try {
      if (!closed) {
        closed = true;
        library.shutdown();
      }
    } finally {
      calls.unlock();
    }
  }
}
