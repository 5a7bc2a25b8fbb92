package gflow.map.run;

import gflow.map.results.ItemOutcome;
import gflow.map.results.Result;
import gflow.map.results.ResultWriter;
import gflow.map.results.Try;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Carries out what the dealer says, in turns, one at a time: on its own thread, where everything
 * that happens comes through a queue, or on that of a slot which has nothing else to do. The line
 * of an item is written before its slot gets the next one.
 */
final class Runner implements Executor.Bell {
  private static final Duration WITHOUT_ROOM = Duration.ofSeconds(1);

  sealed interface Event {
    record Rung(Executor executor) implements Event {}

    /** These are the GPUs now; {@code fewer} of those wanted shall be left. */
    record Gpus(List<String> gpus, List<String> wanted, int fewer) implements Event {}

    /** Nothing more is dealt; with {@code kill} what runs is given up. */
    record Stop(boolean kill) implements Event {}

    /** After a turn elsewhere: it is over, or there is something to do earlier than expected. */
    record Look() implements Event {}

    /** What broke a turn elsewhere. */
    record Broken(Throwable why) implements Event {}
  }

  /** Makes the executor of a slot. */
  interface Executors {
    Executor of(Slot slot, Executor.Bell bell) throws IOException;
  }

  /**
   * Puts the value of an item that went well where it belongs; says what came of that. If it fails,
   * there is no room now.
   */
  interface Delivery {
    ItemOutcome of(Executor.Done done, Slot slot) throws IOException;
  }

  /** Hears how it goes; called in the runner's turns. */
  interface Listener {
    void began(Try work, Slot slot);

    /** Before what came of it is told. */
    void tried(Executor.Done done, Slot slot);

    /** A try that is not the last of its item. */
    void again(Try work, ItemOutcome outcome, Instant at);

    void ended(Result result);

    /** Why lines cannot be written; empty when they can again. */
    void disk(Optional<String> problem);

    /** So many results could not be written before it had to end. */
    void lost(long results);

    /** Nothing of the map runs on this GPU any more. */
    void left(String gpu);
  }

  private final Dealer dealer;
  private final SlotBoard board;
  private final Executors executors;
  private final Delivery delivery;
  private final ResultWriter results;
  private final InstantSource clock;
  private final Listener listener;
  private final BlockingQueue<Event> queue = new LinkedBlockingQueue<>();
  private final SortedMap<Integer, Executor> open = new TreeMap<>();

  /** Each GPU's first slot, then each GPU's second: few items have a GPU each. */
  private List<Executor> inTurns = List.of();

  /** GPUs that get nothing more. */
  private final TreeSet<String> leaving = new TreeSet<>();

  /** Those of them on which nothing runs any more. */
  private final TreeSet<String> left = new TreeSet<>();

  /** What went well, and waits for room to be put where it belongs. */
  private final Deque<Held> held = new ArrayDeque<>();

  private final StringBuilder unwritten = new StringBuilder();
  private boolean lacking;
  private Optional<Instant> lookAgain = Optional.empty();
  private boolean killed;

  /** In the middle of a turn, or it ended there. */
  private boolean broken;

  /** Until when the own thread waits if nothing comes. */
  private Instant expected = Instant.MAX;

  private record Held(Slot slot, Executor.Done done) {}

  Runner(
      Dealer dealer,
      SlotBoard board,
      Executors executors,
      Delivery delivery,
      ResultWriter results,
      InstantSource clock,
      Listener listener) {
    this.dealer = dealer;
    this.board = board;
    this.executors = executors;
    this.delivery = delivery;
    this.results = results;
    this.clock = clock;
    this.listener = listener;
  }

  /** From any thread. */
  void tell(Event event) {
    queue.add(event);
  }

  /** GPUs that came before the first item are there for it. */
  synchronized void takeWhatCame() throws IOException {
    for (Event event = queue.poll(); event != null; event = queue.poll()) {
      take(event);
    }
  }

  /** Until nothing runs and nothing will. */
  void run() throws IOException, InterruptedException {
    turn(List.of());
    while (!isOver()) {
      turn(await());
    }
    open.values().forEach(Executor::close);
  }

  private synchronized boolean isOver() {
    return dealer.over() && unwritten.isEmpty();
  }

  private synchronized void turn(List<Event> events) throws IOException {
    broken = true;
    for (Event event : events) {
      take(event);
    }
    for (Executor executor : inTurns) {
      if (isDue(executor)) {
        ask(executor);
      }
    }
    lookAgain = lookAgain.filter(at -> at.isAfter(clock.instant()));
    deliver();
    write();
    if (killed && lookAgain.isPresent()) {
      giveUp();
    }
    leaveGpus();
    deal();
    broken = false;
  }

  /** After one that did not come to its end there is no other: that ends the run. */
  @Override
  public synchronized void turn(Executor executor) {
    if (broken) {
      return;
    }
    try {
      turn(List.of(new Event.Rung(executor)));
      if (isOver() || next().isBefore(expected)) {
        tell(new Event.Look());
      }
    } catch (IOException | RuntimeException | Error e) {
      tell(new Event.Broken(e));
    }
  }

  /** Whether it ended because too much has failed. */
  boolean gaveUp() {
    return dealer.tooManyFailures();
  }

  /** What came; nothing if there is something to do before. */
  private List<Event> await() throws InterruptedException {
    Event first = await(expect());
    var events = new ArrayList<Event>();
    if (first != null) {
      events.add(first);
      queue.drainTo(events);
    }
    return events;
  }

  private @Nullable Event await(Instant until) throws InterruptedException {
    if (until.equals(Instant.MAX)) {
      return queue.take();
    }
    long millis = Math.max(0, Duration.between(clock.instant(), until).toMillis() + 1);
    return queue.poll(millis, TimeUnit.MILLISECONDS);
  }

  private synchronized Instant expect() {
    expected = next();
    return expected;
  }

  /** When there is something to do, though nothing happens. */
  private Instant next() {
    Instant next = earlier(lookAgain, earlier(dealer.nextDue(), Instant.MAX));
    for (Executor executor : inTurns) {
      next = earlier(executor.alarm(), next);
    }
    return next;
  }

  private static Instant earlier(Optional<Instant> one, Instant other) {
    return one.filter(other::isAfter).orElse(other);
  }

  private void take(Event event) throws IOException {
    switch (event) {
      case Event.Rung(Executor executor) -> ask(executor);
      case Event.Gpus(var gpus, var wanted, int fewer) -> gpus(gpus, wanted, fewer);
      case Event.Look() -> {}
      case Event.Broken(Throwable why) -> throw new IllegalStateException(why);
      case Event.Stop(boolean kill) -> {
        dealer.close();
        open.values().forEach(Executor::finish);
        if (kill) {
          killed = true;
          open.values().forEach(Executor::abandon);
        }
      }
    }
  }

  private boolean isDue(Executor executor) {
    return executor.alarm().filter(at -> !at.isAfter(clock.instant())).isPresent();
  }

  // ---- items ----

  private void ask(Executor executor) {
    for (var done = executor.next(); done.isPresent(); done = executor.next()) {
      judge(executor, done.get());
    }
  }

  private void judge(Executor executor, Executor.Done done) {
    listener.tried(done, executor.slot());
    held.add(new Held(executor.slot(), done));
    deliver();
  }

  private void deliver() {
    try {
      while (!held.isEmpty() && lookAgain.isEmpty()) {
        Executor.Done done = held.getFirst().done();
        Slot slot = held.getFirst().slot();
        settle(done, slot, done.outcome().good() ? delivery.of(done, slot) : done.outcome());
        held.removeFirst();
      }
    } catch (IOException e) {
      lack(e);
    }
  }

  private void settle(Executor.Done done, Slot slot, ItemOutcome said) {
    ItemOutcome outcome = explained(done, slot, said);
    switch (dealer.ended(done.work(), outcome, clock.instant())) {
      case Dealer.Verdict.Again(Instant at) -> listener.again(done.work(), outcome, at);
      case Dealer.Verdict.Nothing() -> {}
      case Dealer.Verdict.Final() -> {
        var result =
            new Result(done.work(), slot.gpu(), outcome, done.start(), done.took(), done.said());
        unwritten.append(result.line());
        listener.ended(result);
      }
    }
  }

  private ItemOutcome explained(Executor.Done done, Slot slot, ItemOutcome outcome) {
    if (outcome.good() || slot.gpu().isEmpty()) {
      return outcome;
    }
    boolean kept = dealer.isAlone() && dealer.aloneSlot().orElseThrow() == slot.number();
    boolean alone = kept || on(slot.gpu()).size() <= 1;
    return outcome.explained(done.said().out() + "\n" + done.said().err(), alone);
  }

  /** While there is no room for results, nothing begins: it would be lost. */
  private void deal() {
    if (lookAgain.isPresent() || !unwritten.isEmpty()) {
      return;
    }
    try {
      for (Executor executor : inTurns) {
        deal(executor);
      }
      if (lacking) {
        lacking = false;
        listener.disk(Optional.empty());
      }
    } catch (IOException e) {
      lack(e);
    }
  }

  private void deal(Executor executor) throws IOException {
    while (executor.free()
        && !leaving.contains(executor.slot().gpu())
        && dealer.hasMore()
        && !isKept(executor)) {
      executor.prepare();
      Optional<Try> next = dealer.deal(executor.slot().number(), clock.instant());
      if (next.isEmpty()) {
        return;
      }
      listener.began(next.get(), executor.slot());
      executor.give(next.get());
    }
  }

  /** Whether nothing may begin there, because an item has its GPU for itself, or wants to. */
  private boolean isKept(Executor executor) {
    OptionalInt slot = dealer.aloneSlot();
    if (slot.isEmpty()) {
      return false;
    }
    Executor keeper = open.get(slot.getAsInt());
    if (keeper == null || leaving.contains(keeper.slot().gpu())) {
      return dealer.moveAlone(executor.slot().number()) && isKept(executor);
    }
    if (!keeper.slot().gpu().equals(executor.slot().gpu())) {
      return false;
    }
    boolean others = !on(executor.slot().gpu()).stream().allMatch(Executor::idle);
    return dealer.isAlone() || keeper != executor || others;
  }

  // ---- results ----

  private void write() {
    if (unwritten.isEmpty() || lookAgain.isPresent()) {
      return;
    }
    try {
      results.write(unwritten.toString());
      unwritten.setLength(0);
    } catch (IOException e) {
      lack(e);
    }
  }

  private void lack(IOException e) {
    if (!lacking) {
      lacking = true;
      listener.disk(Optional.of(String.valueOf(e.getMessage())));
    }
    lookAgain = Optional.of(clock.instant().plus(WITHOUT_ROOM));
  }

  /** Who was told to end at once does not wait for room. */
  private void giveUp() {
    long lost =
        unwritten.chars().filter(c -> c == '\n').count()
            + held.stream().filter(one -> one.done().outcome().good()).count();
    held.forEach(
        one -> dealer.ended(one.done().work(), new ItemOutcome.Abandoned(), clock.instant()));
    held.clear();
    unwritten.setLength(0);
    if (lost > 0) {
      listener.lost(lost);
    }
  }

  // ---- GPUs ----

  /** Also before {@link #run}. */
  synchronized void gpus(List<String> gpus, List<String> wanted, int fewer) throws IOException {
    leaving.removeIf(gpu -> !gpus.contains(gpu) && on(gpu).isEmpty());
    open.values().stream()
        .map(executor -> executor.slot().gpu())
        .filter(gpu -> !gpus.contains(gpu))
        .forEach(leaving::add);
    // Where nothing runs first: that GPU can go at once.
    wanted.stream()
        .sorted(Comparator.comparing(gpu -> !on(gpu).stream().allMatch(Executor::idle)))
        .forEach(gpu -> leave(gpu, wanted, fewer));
    List<Slot> slots = open.values().stream().map(Executor::slot).toList();
    for (var slot : board.missing(gpus, leaving, slots)) {
      open.put(slot.number(), executors.of(slot, this));
    }
    setTurns();
  }

  private void setTurns() {
    var seen = new TreeMap<String, Integer>();
    var rounds = new TreeMap<Integer, List<Executor>>();
    for (Executor executor : open.values()) {
      int round = seen.merge(executor.slot().gpu(), 1, Integer::sum);
      rounds.computeIfAbsent(round, _ -> new ArrayList<>()).add(executor);
    }
    inTurns = rounds.values().stream().flatMap(List::stream).toList();
  }

  private void leave(String gpu, List<String> wanted, int fewer) {
    if (leaving.stream().filter(wanted::contains).count() < fewer) {
      leaving.add(gpu);
    }
  }

  @Override
  public void ring(Executor executor) {
    tell(new Event.Rung(executor));
  }

  /** Also one on which nothing has begun yet: it came and was wanted back at once. */
  private void leaveGpus() {
    left.retainAll(leaving);
    for (String gpu : leaving) {
      List<Executor> its = on(gpu);
      if (its.stream().allMatch(Executor::idle) && left.add(gpu)) {
        its.forEach(this::close);
        listener.left(gpu);
      }
    }
  }

  private List<Executor> on(String gpu) {
    return open.values().stream().filter(executor -> executor.slot().gpu().equals(gpu)).toList();
  }

  private void close(Executor executor) {
    open.remove(executor.slot().number());
    setTurns();
    executor.close();
  }
}
