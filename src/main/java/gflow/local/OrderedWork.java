package gflow.local;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Work on some threads, side by side; but what concerns the same thing, an attempt or a GPU, is
 * done in the order in which it came.
 */
final class OrderedWork implements AutoCloseable {
  private static final Logger LOG = System.getLogger("gflow.local");
  private static final int MOST_THREADS = 12;
  private static final int IDLE_SECONDS = 1;

  private final ThreadPoolExecutor threads;

  /** What was handed over last of each thing, until it is done. */
  private final Map<Object, CompletableFuture<Void>> last = new HashMap<>();

  OrderedWork(String name) {
    int count = Math.clamp(Runtime.getRuntime().availableProcessors(), 2, MOST_THREADS);
    threads =
        new ThreadPoolExecutor(
            count,
            count,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().name(name, 1).factory());
    threads.allowCoreThreadTimeOut(true);
  }

  /** {@code things}: what it concerns, by {@code equals}. */
  void add(Collection<?> things, Runnable work) {
    add(things, Optional.empty(), work);
  }

  /** {@code first}: comes before it, and may last, so it gets a thread of its own. */
  synchronized void add(Collection<?> things, Optional<Runnable> first, Runnable work) {
    CompletableFuture<?>[] before =
        things.stream().map(last::get).filter(Objects::nonNull).toArray(CompletableFuture[]::new);
    CompletableFuture<Void> turn = CompletableFuture.allOf(before);
    if (first.isPresent()) {
      turn = turn.thenRunAsync(() -> contained(first.get()), Thread::startVirtualThread);
    }
    CompletableFuture<Void> done = turn.thenRunAsync(() -> contained(work), threads);
    things.forEach(thing -> last.put(thing, done));
    var _ = done.thenRun(() -> forget(things, done));
  }

  private synchronized void forget(Collection<?> things, CompletableFuture<Void> done) {
    things.forEach(thing -> last.remove(thing, done));
  }

  /** Whatever one meets, those that wait for it are done: a kill may be among them. */
  private static void contained(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "an effect met a bug", e);
    }
  }

  /** Returns when all that was handed over before is done. */
  void await() {
    CompletableFuture<?>[] all;
    synchronized (this) {
      all = last.values().toArray(CompletableFuture[]::new);
    }
    CompletableFuture.allOf(all).join();
  }

  /** What was handed over is done, but not waited for longer than some seconds. */
  @Override
  public void close() {
    threads.shutdown();
    try {
      threads.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
