package gflow.map.run;

import gflow.job.JobSpec.Terms;
import gflow.job.RetryOn;
import gflow.job.RetryRules;
import gflow.map.items.Item;
import gflow.map.results.ItemOutcome;
import gflow.map.results.Try;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
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
   * @param on after which ends
   */
  record Rules(
      int retries, Duration pause, OptionalLong mostFailures, int fixed, List<RetryOn> on) {
    Rules(int retries, Duration pause, OptionalLong mostFailures, int fixed) {
      this(retries, pause, mostFailures, fixed, Terms.USUAL);
    }

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

  /** Those that ran out of GPU memory beside others, and wait until their GPU is theirs. */
  private final Deque<Due> alone = new ArrayDeque<>();

  /** By index, all that were among these: that is granted once. */
  private final TreeSet<Integer> wereAlone = new TreeSet<>();

  private Optional<Try> aloneNow = Optional.empty();
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
    Optional<Try> next = alone(slot).or(() -> due(slot, now)).or(() -> fresh(slot));
    running += next.isPresent() ? 1 : 0;
    return next;
  }

  private Optional<Try> alone(int slot) {
    if (aloneNow.isPresent() || alone.isEmpty() || alone.getFirst().slot() != slot) {
      return Optional.empty();
    }
    Due due = alone.removeFirst();
    aloneNow = Optional.of(new Try(due.item(), due.number(), slot));
    return aloneNow;
  }

  /** The slot whose GPU is kept for an item that wants it alone, or has it. */
  OptionalInt aloneSlot() {
    if (aloneNow.isPresent()) {
      return OptionalInt.of(aloneNow.get().slot());
    }
    return closed || alone.isEmpty()
        ? OptionalInt.empty()
        : OptionalInt.of(alone.getFirst().slot());
  }

  boolean isAlone() {
    return aloneNow.isPresent();
  }

  /** The slot that was kept is gone: another one will do, unless each item has its own. */
  boolean moveAlone(int slot) {
    if (rules.fixed() > 0 || aloneNow.isPresent()) {
      return false;
    }
    Due due = alone.removeFirst();
    alone.addFirst(new Due(due.item(), due.number(), slot, due.at()));
    return true;
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
    aloneNow = aloneNow.filter(one -> !one.equals(dealt));
    again.add(new Due(dealt.item(), dealt.number(), dealt.slot(), now));
  }

  Verdict ended(Try dealt, ItemOutcome outcome, Instant now) {
    if (outcome instanceof ItemOutcome.Untouched) {
      back(dealt, now);
      return new Verdict.Nothing();
    }
    running--;
    aloneNow = aloneNow.filter(one -> !one.equals(dealt));
    if (outcome instanceof ItemOutcome.Abandoned) {
      return new Verdict.Nothing();
    }
    if (outcome.good()) {
      return new Verdict.Final();
    }
    Optional<RetryRules.Again> more = closed ? Optional.empty() : again(dealt, outcome, now);
    if (more.isPresent()) {
      return again(dealt, more.get(), now);
    }
    failed++;
    if (rules.mostFailures().isPresent() && failed > rules.mostFailures().getAsLong()) {
      closed = true;
    }
    return new Verdict.Final();
  }

  private Optional<RetryRules.Again> again(Try dealt, ItemOutcome outcome, Instant now) {
    boolean shared = outcome instanceof ItemOutcome.OutOfGpuMemory(int _, boolean only) && !only;
    boolean had = wereAlone.contains(dealt.item().index());
    int tries = dealt.number() - (had ? 1 : 0);
    var retries = new RetryRules(tries, rules.retries(), rules.on(), !had);
    return outcome.failure().flatMap(cause -> retries.after(cause, shared, now));
  }

  private Verdict again(Try dealt, RetryRules.Again how, Instant now) {
    boolean free = how.alone() && wereAlone.add(dealt.item().index());
    Instant at = how.notBefore().isEmpty() ? now : now.plus(pause(dealt.number()));
    var due = new Due(dealt.item(), dealt.number() + 1, dealt.slot(), at);
    if (free) {
      alone.addLast(due);
    } else {
      again.add(due);
    }
    return new Verdict.Again(at);
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
    return !closed && (undealt > 0 || !again.isEmpty() || !alone.isEmpty());
  }

  /** Nothing runs, and nothing will. */
  boolean over() {
    return running == 0 && (closed || (again.isEmpty() && alone.isEmpty() && undealt == 0));
  }
}
