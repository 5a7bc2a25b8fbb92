package gflow.map.run;

import gflow.map.items.BadItems;
import gflow.map.plan.MapPlan;
import gflow.map.results.ItemOutcome;
import gflow.map.results.Result;
import gflow.map.results.Try;
import gflow.process.ProcessEnd;
import gflow.process.SpawnException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Stream;

/**
 * A warm worker for many items. Where items are short it is given some in advance, so that it never
 * waits for us; what it did not begin when it ends is nobody's failure.
 */
final class WorkerExecutor implements Executor {
  /** Items that take less are worth giving in advance, and how many. */
  private static final Duration SHORT = Duration.ofMillis(5);

  private static final int IN_ADVANCE = 64;
  private static final int AT_ONCE = 1000;

  /** A try that the worker has; it works on the first of them. */
  private record Given(Try work, Instant start, long nanos, long toldBefore) {}

  private final SlotTools tools;
  private final MapPlan.Worker rules;
  private final Slot slot;
  private final Bell bell;
  private final WorkerNoise noise;
  private final SequencedMap<Integer, Given> given = new LinkedHashMap<>();
  private final Deque<Done> done = new ArrayDeque<>();
  private final Optional<ValueChecks> checks;
  private Optional<WorkerProcess> worker = Optional.empty();
  private Deadline deadline = new Deadline(Optional.empty());
  private boolean ready;
  private boolean finishing;
  private int answered;
  private long lastAnswer = Long.MIN_VALUE;
  private int starts;
  private Duration usual = Duration.ofDays(1);

  WorkerExecutor(SlotTools tools, MapPlan.Worker rules, Slot slot, Bell bell) {
    this.tools = tools;
    this.rules = rules;
    this.slot = slot;
    this.bell = bell;
    noise = new WorkerNoise(log(), slot.number(), tools.log());
    checks = tools.care().check().map(_ -> new ValueChecks(tools, slot, () -> bell.ring(this)));
  }

  private Path log() {
    return tools.folder().worker(slot.number());
  }

  @Override
  public Slot slot() {
    return slot;
  }

  @Override
  public boolean free() {
    int most = usual.compareTo(SHORT) < 0 ? IN_ADVANCE : 1;
    int left = rules.recycle().orElse(Integer.MAX_VALUE) - answered - given.size();
    boolean room = checks.filter(ValueChecks::isFull).isEmpty();
    return deadline.ending().isEmpty() && given.size() < most && left > 0 && room;
  }

  @Override
  public boolean idle() {
    return given.isEmpty() && done.isEmpty() && checks.filter(all -> !all.isEmpty()).isEmpty();
  }

  @Override
  public Optional<Instant> alarm() {
    return Stream.of(deadline.alarm(), checks.flatMap(ValueChecks::alarm))
        .flatMap(Optional::stream)
        .min(Instant::compareTo);
  }

  // ---- items ----

  /** What it says goes into the results, and their writer sees to the room. */
  @Override
  public void prepare() {}

  @Override
  public void give(Try work) {
    Instant now = tools.now();
    try {
      if (worker.isEmpty()) {
        worker = Optional.of(start());
      }
      long before = worker.get().tell(WorkerMessage.of(work));
      given.put(work.item().index(), new Given(work, now, System.nanoTime(), before));
      if (given.size() == 1) {
        watchFirst(now);
      }
    } catch (BadItems | IOException e) {
      var never = new ItemOutcome.Failed(String.valueOf(e.getMessage()));
      done.add(new Done(work, never, now, Duration.ZERO, Result.Said.NOTHING));
      bell.ring(this);
    }
  }

  private WorkerProcess start() throws BadItems, SpawnException, IOException {
    ready = false;
    starts++;
    String mark = ItemMarks.ofMap(tools.folder()) + "#worker-" + slot.number() + "." + starts;
    var start =
        new WorkerProcess.Start(
            tools.commands().words(slot), tools.commands().environment(slot, mark), log(), mark);
    return WorkerProcess.start(tools, start, () -> bell.ring(this));
  }

  /** Its time begins when the one before it has ended, or when the worker is ready. */
  private void watchFirst(Instant now) {
    Optional<Duration> most = ready ? tools.care().timeout() : Optional.of(rules.startTimeout());
    deadline.set(given.isEmpty() ? Optional.empty() : most.map(now::plus));
  }

  @Override
  public Optional<Done> next() {
    if (done.isEmpty()) {
      worker.ifPresent(this::listen);
      checks.ifPresent(all -> done.addAll(all.ended()));
    }
    return Optional.ofNullable(done.poll());
  }

  private void listen(WorkerProcess from) {
    from.listen();
    int heard = 0;
    for (var line = from.next(); line.isPresent(); line = from.next()) {
      hear(line.get());
      if (++heard == AT_ONCE) {
        // Others want to be heard, too.
        bell.ring(this);
        break;
      }
    }
    Optional<ProcessEnd> ended = from.ended();
    if (ended.isPresent()) {
      died(from, ended.get());
    } else if (given.isEmpty() && deadline.ending().isEmpty() && used()) {
      from.finish();
      deadline.end(new ItemOutcome.Abandoned(), tools.now(), Optional.empty());
    } else {
      deadline.look(tools.now(), this::late, Optional.of(from.process()));
    }
  }

  private boolean used() {
    return rules.recycle().isPresent() && answered >= rules.recycle().getAsInt();
  }

  private void hear(String line) {
    switch (WorkerMessage.parse(line)) {
      case WorkerMessage.Ready() -> {
        if (!ready) {
          ready = true;
          watchFirst(tools.now());
        }
      }
      case WorkerMessage.Noise() -> noise.add(line);
      case WorkerMessage.Answer(int index, ItemOutcome outcome) -> answer(index, outcome);
    }
  }

  private void answer(int index, ItemOutcome outcome) {
    if (deadline.ending().isPresent()) {
      // Whoever is being ended may say anything: a shell goes on when what it waited for is killed.
      return;
    }
    Given was = given.remove(index);
    if (was == null) {
      tools
          .log()
          .say(
              "worker %d answered item %d, which it does not have".formatted(slot.number(), index));
      return;
    }
    ready = true;
    answered++;
    Instant now = tools.now();
    // One that was given in advance begins when the one before it is answered.
    var took = Duration.ofNanos(System.nanoTime() - Math.max(was.nanos(), lastAnswer));
    lastAnswer = System.nanoTime();
    usual = usual.compareTo(took) > 0 ? took : usual.multipliedBy(7).plus(took).dividedBy(8);
    var one = new Done(was.work(), outcome, now.minus(took), took, Result.Said.NOTHING);
    if (checks.isPresent() && outcome.good()) {
      checks.get().add(one);
    } else {
      done.add(one);
    }
    watchFirst(now);
    if (finishing) {
      giveBack();
    }
  }

  // ---- how it ends ----

  @Override
  public void finish() {
    finishing = true;
  }

  /** It reads the next one before we can tell it not to; so it is ended, in the middle of that. */
  private void giveBack() {
    for (Given one : given.values()) {
      var untold = new ItemOutcome.Abandoned();
      done.add(new Done(one.work(), untold, one.start(), Duration.ZERO, Result.Said.NOTHING));
    }
    if (!given.isEmpty()) {
      given.clear();
      endAsAbandoned();
    }
  }

  private void endAsAbandoned() {
    deadline.end(new ItemOutcome.Abandoned(), tools.now(), worker.map(WorkerProcess::process));
  }

  private ItemOutcome late() {
    return ready
        ? tools.timedOut()
        : new ItemOutcome.Failed("the worker was not ready within its start-up time");
  }

  /** The first had its chance; the others were not begun. */
  private void died(WorkerProcess from, ProcessEnd how) {
    ItemOutcome first = deadline.ending().orElseGet(() -> broke(from, how));
    from.forget();
    for (Given one : given.values()) {
      var took = Duration.ofNanos(System.nanoTime() - one.nanos());
      done.add(new Done(one.work(), first, one.start(), took, Result.Said.NOTHING));
      first = first instanceof ItemOutcome.Abandoned ? first : new ItemOutcome.Untouched();
    }
    given.clear();
    answered = 0;
    worker = Optional.empty();
    deadline = new Deadline(Optional.empty());
    bell.ring(this);
  }

  /** One that has answered and is gone before it read the next item did not fail at that. */
  private ItemOutcome broke(WorkerProcess from, ProcessEnd how) {
    boolean began = given.isEmpty() || from.hasRead(given.firstEntry().getValue().toldBefore());
    return began || answered == 0
        ? new ItemOutcome.Failed("the worker " + words(how))
        : new ItemOutcome.Untouched();
  }

  private String words(ProcessEnd how) {
    String log =
        (ready ? "" : " before it was ready") + "; see log/worker-" + slot.number() + ".log";
    return how.signal().isPresent()
        ? "was killed by signal " + how.signal().getAsInt() + log
        : "ended with exit code " + how.exitCode().orElse(1) + log;
  }

  @Override
  public void abandon() {
    checks.ifPresent(ValueChecks::abandon);
    if (worker.isPresent() && deadline.ending().isEmpty()) {
      endAsAbandoned();
    }
  }

  @Override
  public void close() {
    worker.ifPresent(process -> process.end(Deadline.GRACE));
    worker = Optional.empty();
    noise.close();
  }
}
