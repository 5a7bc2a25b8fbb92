package gflow.daemon.service;

import gflow.api.EventView;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** Tells what happened to all who watch. One who cannot keep up loses its place, not the daemon. */
public final class Events implements AutoCloseable {
  private static final int BACKLOG = 10_000;
  private static final long LOOK_SECONDS = 15;

  private final List<BlockingQueue<EventView>> watchers = new CopyOnWriteArrayList<>();
  private final AtomicLong sequence = new AtomicLong();
  private volatile boolean closed;

  public boolean watched() {
    return !watchers.isEmpty();
  }

  public long nextSequence() {
    return sequence.incrementAndGet();
  }

  public void publish(EventView event) {
    watchers.removeIf(watcher -> !watcher.offer(event));
  }

  /** Blocks and hands on events until the receiver says false; a tick now and then lets it look. */
  void follow(Predicate<EventView> receiver) {
    var queue = new ArrayBlockingQueue<EventView>(BACKLOG);
    watchers.add(queue);
    try {
      boolean more = true;
      while (more && !closed && watchers.contains(queue)) {
        EventView event = queue.poll(LOOK_SECONDS, TimeUnit.SECONDS);
        more = receiver.test(event != null ? event : tick());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      watchers.remove(queue);
    }
  }

  private EventView tick() {
    return new EventView(sequence.get(), "", "tick", null, null, null, null, null);
  }

  @Override
  public void close() {
    closed = true;
    EventView last = new EventView(nextSequence(), "", "down", null, null, null, null, null);
    publish(last);
  }
}
