package gflow.sim;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Simulated time, what is to happen when, and a log of what did. Things happen by a steady time;
 * the clock that a daemon looks at may be set. For one thread.
 */
public final class Agenda implements InstantSource {
  private static final Comparator<Entry> ORDER =
      Comparator.comparing(Entry::at).thenComparingLong(Entry::order);

  private final PriorityQueue<Entry> entries = new PriorityQueue<>(ORDER);
  private final List<String> log = new ArrayList<>();
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private Duration ahead = Duration.ZERO;
  private Instant clockSetAt = now;
  private long order;

  private record Entry(Instant at, long order, Runnable event) {}

  /** What the clock on the wall shows. */
  @Override
  public Instant instant() {
    return now.plus(ahead);
  }

  public Instant steady() {
    return now;
  }

  /** When that is which the clock will show then, if nobody sets it. */
  public Instant steady(Instant shown) {
    return shown.minus(ahead);
  }

  /** When the clock was last set, by the steady time. */
  public Instant clockSetAt() {
    return clockSetAt;
  }

  public void setClock(Duration aheadOfTime) {
    note("the clock is " + aheadOfTime + " ahead");
    ahead = aheadOfTime;
    clockSetAt = now;
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
