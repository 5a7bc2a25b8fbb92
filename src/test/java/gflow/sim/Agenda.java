package gflow.sim;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/** Simulated time, what is to happen when, and a log of what did. For one thread. */
public final class Agenda implements InstantSource {
  private static final Comparator<Entry> ORDER =
      Comparator.comparing(Entry::at).thenComparingLong(Entry::order);

  private final PriorityQueue<Entry> entries = new PriorityQueue<>(ORDER);
  private final List<String> log = new ArrayList<>();
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private long order;

  private record Entry(Instant at, long order, Runnable event) {}

  @Override
  public Instant instant() {
    return now;
  }

  public void at(Instant when, Runnable event) {
    entries.add(new Entry(when.isBefore(now) ? now : when, order++, event));
  }

  public void in(Duration delay, Runnable event) {
    at(now.plus(delay), event);
  }

  public Optional<Instant> next() {
    return Optional.ofNullable(entries.peek()).map(Entry::at);
  }

  public void runNext() {
    Entry entry = entries.remove();
    now = entry.at();
    entry.event().run();
  }

  public void advance(Instant to) {
    now = to.isAfter(now) ? to : now;
  }

  public void note(String what) {
    log.add(now + " " + what);
  }

  public List<String> log() {
    return log;
  }
}
