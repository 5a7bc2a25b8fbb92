package gflow.map.run;

import gflow.map.items.BadItems;
import gflow.map.items.Item;
import gflow.map.results.ItemOutcome;
import gflow.map.results.Result;
import gflow.map.results.Try;
import gflow.process.ProcessEnd;
import gflow.process.Spawn;
import gflow.process.SpawnException;
import gflow.process.Stdio;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * A process for each item. Whatever an item started is gone before the next one begins. A thread of
 * the slot starts it, waits for its end, and then has the runner take its turn there: to hand over
 * from who waits to who decides, and from him to who starts, would cost as much as a short program.
 */
final class ProcessExecutor implements Executor {
  private static final int LITTLE = 1 << 20;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration MOST_PAUSE = Duration.ofSeconds(2);

  /** A try on its way; {@code process} is empty as long as there is none. */
  private static final class Running {
    final Try work;
    final Instant start;
    final long startNanos = System.nanoTime();
    final Deadline deadline;
    volatile Optional<ItemProcess> process = Optional.empty();
    volatile Optional<ItemOutcome> outcome = Optional.empty();

    Running(Try work, Instant start, Optional<Duration> timeout) {
      this.work = work;
      this.start = start;
      deadline = new Deadline(timeout.map(start::plus));
    }
  }

  private final SlotTools tools;
  private final Slot slot;
  private final Bell bell;
  private final OutputCapture out;
  private final OutputCapture err;
  private final Thread thread;
  private Optional<Running> now = Optional.empty();

  /** What the thread shall begin. */
  private volatile Optional<Running> toDo = Optional.empty();

  private volatile boolean closed;

  ProcessExecutor(SlotTools tools, Slot slot, Bell bell) {
    this.tools = tools;
    this.slot = slot;
    this.bell = bell;
    out = new OutputCapture(tools.folder().slot(slot.number(), "out"));
    err = new OutputCapture(tools.folder().slot(slot.number(), "err"));
    thread = Thread.ofPlatform().daemon().name("slot-" + slot.number()).start(this::work);
  }

  @Override
  public Slot slot() {
    return slot;
  }

  @Override
  public boolean free() {
    return now.isEmpty();
  }

  @Override
  public boolean idle() {
    return now.isEmpty();
  }

  @Override
  public Optional<Instant> alarm() {
    return now.flatMap(running -> running.deadline.alarm());
  }

  // ---- a try ----

  @Override
  public void prepare() throws IOException {
    out.prepare();
    err.prepare();
  }

  @Override
  public void give(Try work) {
    now = Optional.of(new Running(work, tools.now(), tools.care().timeout()));
    toDo = now;
    LockSupport.unpark(thread);
  }

  @Override
  public Optional<Done> next() {
    if (now.isEmpty()) {
      return Optional.empty();
    }
    Running running = now.get();
    if (running.outcome.isEmpty()) {
      running.deadline.look(tools.now(), tools::timedOut, running.process);
      return Optional.empty();
    }
    now = Optional.empty();
    var took = Duration.ofNanos(System.nanoTime() - running.startNanos);
    return Optional.of(done(running, took));
  }

  private Done done(Running running, Duration took) {
    try {
      ItemOutcome outcome = running.outcome.orElseThrow();
      if (running.process.isPresent() && (out.isCut(out.size()) || err.isCut(err.size()))) {
        outcome = cut(outcome);
      }
      return new Done(running.work, outcome, running.start, took, said(running.work.item()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** It is done again if the disk became full under it, and not by what it printed itself. */
  private ItemOutcome cut(ItemOutcome outcome) throws IOException {
    boolean sudden = !out.isReserved() || !err.isReserved();
    boolean counts = outcome.good() || outcome instanceof ItemOutcome.Exited;
    if (sudden && counts && out.size() + err.size() < LITTLE) {
      return new ItemOutcome.Untouched();
    }
    return outcome.good()
        ? new ItemOutcome.Failed("the disk was full: what it printed is not all there")
        : outcome;
  }

  private Result.Said said(Item item) throws IOException {
    OutputCapture.Taken printed = out.take(tools.folder().kept(item.index(), "out"));
    OutputCapture.Taken complained = err.take(tools.folder().kept(item.index(), "err"));
    return new Result.Said(printed.text(), complained.text(), printed.file().or(complained::file));
  }

  // ---- the slot's own thread ----

  private void work() {
    while (!closed) {
      Optional<Running> next = toDo;
      if (next.isPresent()) {
        toDo = Optional.empty();
        next.get().outcome = Optional.of(outcome(next.get()));
        bell.turn(this);
      } else {
        LockSupport.park(this);
      }
    }
  }

  /** Whatever goes wrong, the runner hears of it. */
  private ItemOutcome outcome(Running running) {
    try {
      List<String> words = tools.commands().words(running.work, slot);
      ItemOutcome outcome = run(running, words, new Stdio.Null(), out.target());
      Optional<String> check = tools.care().check();
      return outcome.good() && check.isPresent() ? check(running, check.get()) : outcome;
    } catch (BadItems | SpawnException | RuntimeException | Error e) {
      return new ItemOutcome.Failed(String.valueOf(e.getMessage()));
    }
  }

  private ItemOutcome check(Running running, String line) throws SpawnException {
    List<String> words = List.of("/bin/sh", "-c", line);
    ItemOutcome outcome = run(running, words, new Stdio.Read(out.path().toString()), err.target());
    return outcome instanceof ItemOutcome.Exited(int code) && code != 0
        ? ItemOutcome.rejected("exit code " + code)
        : outcome;
  }

  private ItemOutcome run(Running running, List<String> words, Stdio in, Stdio to)
      throws SpawnException {
    String mark = ItemMarks.ofTry(tools.folder(), running.work);
    byte[] environment = tools.commands().environment(running.work, slot, mark);
    Spawn spawn = tools.commands().spawn(words, environment, in, to, err.target());
    ItemProcess process = startAtLast(running, spawn, mark);
    running.process = Optional.of(process);
    if (running.deadline.ending().isPresent()) {
      // Nobody could tell it before.
      process.term();
    }
    ProcessEnd how = process.await();
    return running.deadline.ending().orElseGet(() -> ItemOutcome.of(how));
  }

  /**
   * Where the machine has no descriptor or process left it is tried again, as long as anybody wants
   * it.
   */
  private ItemProcess startAtLast(Running running, Spawn spawn, String mark) throws SpawnException {
    for (Duration pause = FIRST_PAUSE; ; ) {
      try {
        return tools.start(spawn, mark);
      } catch (SpawnException e) {
        if (!e.passes() || running.deadline.ending().isPresent()) {
          throw e;
        }
      }
      LockSupport.parkNanos(pause.toNanos());
      pause = pause.compareTo(MOST_PAUSE) < 0 ? pause.multipliedBy(2) : MOST_PAUSE;
    }
  }

  // ---- its end ----

  @Override
  public void abandon() {
    var abandoned = new ItemOutcome.Abandoned();
    now.filter(running -> running.outcome.isEmpty())
        .filter(running -> running.deadline.ending().filter(abandoned::equals).isEmpty())
        .ifPresent(running -> running.deadline.end(abandoned, tools.now(), running.process));
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    try {
      out.close();
      err.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
