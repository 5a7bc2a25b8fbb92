package gflow.map.run;

import gflow.map.items.Item;
import gflow.map.results.ItemOutcome;
import gflow.map.results.Try;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/**
 * Deals items out to slots: in the order of the list, each to whichever slot is free, and those
 * that failed again after a pause. It knows no clock and no process, so a seed replays it.
 */
final class Dealer {
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  /**
   * @param retries how often an item is tried again
   * @param pause before the first of these; it doubles
   * @param mostFailures more than so many, and nothing more is dealt
   * @param fixed item i goes to slot i mod this; 0: to any
   */
  record Rules(int retries, Duration pause, OptionalLong mostFailures, int fixed) {
    static final Rules PLAIN = new Rules(0, Duration.ofSeconds(1), OptionalLong.empty(), 0);
  }

  /** What becomes of an item after a try. */
  sealed interface Verdict {
    /** This was its last try. */
    record Final() implements Verdict {}

    record Again(Instant at) implements Verdict {}

    /** As if it had never been dealt: it is for the next run. */
    record Nothing() implements Verdict {}
  }

  private record Due(Item item, int number, int slot, Instant at) {}

  private final Supplier<Iterator<Item>> list;
  private final IntPredicate done;
  private final Rules rules;
  private final SortedMap<Integer, Iterator<Item>> lists = new TreeMap<>();
  private final PriorityQueue<Due> again =
      new PriorityQueue<>(Comparator.comparing(Due::at).thenComparing(due -> due.item().index()));
  private int undealt;
  private int running;
  private long failed;
  private boolean closed;

  /** {@code done}: the items, by index, that have their line already; {@code left}: the others. */
  Dealer(Supplier<Iterator<Item>> list, IntPredicate done, int left, Rules rules) {
    this.list = list;
    this.done = done;
    this.undealt = left;
    this.rules = rules;
  }

  /** The next for this slot, if there is one for it now. */
  Optional<Try> deal(int slot, Instant now) {
    if (closed) {
      return Optional.empty();
    }
    Optional<Try> next = due(slot, now).or(() -> fresh(slot));
    running += next.isPresent() ? 1 : 0;
    return next;
  }

  private Optional<Try> due(int slot, Instant now) {
    Optional<Due> first =
        rules.fixed() == 0
            ? Optional.ofNullable(again.peek())
            : again.stream().filter(due -> due.slot() == slot).min(again.comparator());
    Optional<Due> ready = first.filter(due -> !due.at().isAfter(now));
    ready.ifPresent(again::remove);
    return ready.map(due -> new Try(due.item(), due.number(), slot));
  }

  private Optional<Try> fresh(int slot) {
    int key = rules.fixed() == 0 ? 0 : slot;
    Iterator<Item> items = lists.computeIfAbsent(key, _ -> list.get());
    while (items.hasNext()) {
      Item item = items.next();
      boolean mine = rules.fixed() == 0 || item.index() % rules.fixed() == slot;
      if (mine && !done.test(item.index())) {
        undealt--;
        return Optional.of(new Try(item, 1, slot));
      }
    }
    return Optional.empty();
  }

  /** One that was dealt and not begun goes to whoever is next; it was no try. */
  void back(Try dealt, Instant now) {
    running--;
    again.add(new Due(dealt.item(), dealt.number(), dealt.slot(), now));
  }

  Verdict ended(Try dealt, ItemOutcome outcome, Instant now) {
    if (outcome instanceof ItemOutcome.Untouched) {
      back(dealt, now);
      return new Verdict.Nothing();
    }
    running--;
    if (outcome instanceof ItemOutcome.Abandoned) {
      return new Verdict.Nothing();
    }
    if (outcome.good()) {
      return new Verdict.Final();
    }
    if (dealt.number() <= rules.retries() && !closed) {
      Instant at = now.plus(pause(dealt.number()));
      again.add(new Due(dealt.item(), dealt.number() + 1, dealt.slot(), at));
      return new Verdict.Again(at);
    }
    failed++;
    if (rules.mostFailures().isPresent() && failed > rules.mostFailures().getAsLong()) {
      closed = true;
    }
    return new Verdict.Final();
  }

  private Duration pause(int number) {
    Duration pause = rules.pause().multipliedBy(1L << Math.min(number - 1, 20));
    return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
  }

  /** Deals nothing more; what runs may end. */
  void close() {
    closed = true;
  }

  boolean tooManyFailures() {
    return rules.mostFailures().isPresent() && failed > rules.mostFailures().getAsLong();
  }

  /** When the next of those that failed may be tried again. */
  Optional<Instant> nextDue() {
    return closed ? Optional.empty() : Optional.ofNullable(again.peek()).map(Due::at);
  }

  /** Whether anything may still be dealt, now or later. */
  boolean hasMore() {
    return !closed && (undealt > 0 || !again.isEmpty());
  }

  /** Nothing runs, and nothing will. */
  boolean over() {
    return running == 0 && (closed || (again.isEmpty() && undealt == 0));
  }
}
