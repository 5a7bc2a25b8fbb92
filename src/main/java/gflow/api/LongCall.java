package gflow.api;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A call of the service that speaks when it likes, on a thread of its own, so that the thread of
 * the connection can say "still here" meanwhile and sees when the client is gone. Who reads too
 * slowly is dropped: the service never waits for a client.
 */
final class LongCall<T> implements AutoCloseable {
  private static final int BACKLOG = 10_000;

  private final BlockingQueue<Optional<T>> said = new ArrayBlockingQueue<>(BACKLOG);
  private final Future<?> worker;
  private boolean over;

  LongCall(ExecutorService workers, Consumer<Predicate<T>> call) {
    this.worker = workers.submit(() -> run(call));
  }

  private void run(Consumer<Predicate<T>> call) {
    try {
      call.accept(value -> said.offer(Optional.of(value)));
    } finally {
      end();
    }
  }

  /** Also after an interrupt: the reader must learn that nothing more comes. */
  private void end() {
    boolean interrupted = Thread.interrupted();
    while (!said.offer(Optional.empty())) {
      said.poll();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The next value; null if none came in time, or none will. */
  @Nullable T next(Duration patience) throws InterruptedException {
    Optional<T> next = said.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
    over |= next != null && next.isEmpty();
    return next == null ? null : next.orElse(null);
  }

  boolean over() {
    return over;
  }

  @Override
  public void close() {
    worker.cancel(true);
  }
}
