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

/** A process for each item. Whatever an item started is gone before the next one begins. */
final class ProcessExecutor implements Executor {
  private static final int LITTLE = 1 << 20;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration MOST_PAUSE = Duration.ofSeconds(2);

  /** A try on its way; {@code process} is empty if there is none to wait for. */
  private static final class Running {
    final Try work;
    final Instant start;
    final long startNanos = System.nanoTime();
    final Deadline deadline;
    volatile Optional<ItemProcess> process = Optional.empty();
    volatile Optional<ItemOutcome> outcome = Optional.empty();
    boolean checking;

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
  private Optional<Running> now = Optional.empty();

  ProcessExecutor(SlotTools tools, Slot slot, Bell bell) {
    this.tools = tools;
    this.slot = slot;
    this.bell = bell;
    out = new OutputCapture(tools.folder().slot(slot.number(), "out"));
    err = new OutputCapture(tools.folder().slot(slot.number(), "err"));
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
    var running = new Running(work, tools.now(), tools.care().timeout());
    now = Optional.of(running);
    try {
      run(running, tools.commands().words(work, slot), new Stdio.Null(), out.target());
    } catch (BadItems e) {
      running.outcome = Optional.of(new ItemOutcome.Failed(e.getMessage()));
      bell.ring(this);
    }
  }

  private void run(Running running, List<String> words, Stdio in, Stdio to) {
    String mark = ItemMarks.ofTry(tools.folder(), running.work);
    byte[] environment = tools.commands().environment(running.work, slot, mark);
    Spawn spawn = tools.commands().spawn(words, environment, in, to, err.target());
    running.process = Optional.empty();
    Thread.ofVirtual().start(() -> start(running, spawn, mark));
  }

  /**
   * Beside the runner: it lasts until the program is loaded, and other slots have work to do. Where
   * the machine has no descriptor or process left it is tried again, as long as anybody wants it.
   * Whatever goes wrong, the runner hears of it.
   */
  private void start(Running running, Spawn spawn, String mark) {
    try {
      running.process = Optional.of(startAtLast(running, spawn, mark));
      if (running.deadline.ending().isPresent()) {
        running.process.get().term();
      }
      if (running.process.get().hasExited()) {
        // It rang before anybody could know whom to ask.
        bell.ring(this);
      }
    } catch (SpawnException | RuntimeException e) {
      running.outcome = Optional.of(new ItemOutcome.Failed(String.valueOf(e.getMessage())));
      bell.ring(this);
    }
  }

  private ItemProcess startAtLast(Running running, Spawn spawn, String mark) throws SpawnException {
    for (Duration pause = FIRST_PAUSE; ; ) {
      try {
        return tools.start(spawn, mark, () -> bell.ring(this));
      } catch (SpawnException e) {
        if (!e.passes() || running.deadline.ending().isPresent()) {
          throw e;
        }
      }
      LockSupport.parkNanos(pause.toNanos());
      pause = pause.compareTo(MOST_PAUSE) < 0 ? pause.multipliedBy(2) : MOST_PAUSE;
    }
  }

  @Override
  public Optional<Done> next() {
    if (now.isEmpty()) {
      return Optional.empty();
    }
    Running running = now.get();
    Optional<ProcessEnd> ended = running.process.flatMap(ItemProcess::ended);
    if (running.outcome.isEmpty() && ended.isPresent()) {
      judge(running, ended.get());
    } else if (running.outcome.isEmpty()) {
      running.deadline.look(tools.now(), tools::timedOut, running.process);
    }
    if (running.outcome.isEmpty()) {
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

  private void judge(Running running, ProcessEnd how) {
    ItemOutcome outcome = running.deadline.ending().orElseGet(() -> ItemOutcome.of(how));
    Optional<String> check = tools.care().check();
    if (outcome.good() && check.isPresent() && !running.checking) {
      running.checking = true;
      List<String> line = List.of("/bin/sh", "-c", check.get());
      run(running, line, new Stdio.Read(out.path().toString()), err.target());
    } else if (running.checking && outcome instanceof ItemOutcome.Exited(int code) && code != 0) {
      running.outcome = Optional.of(ItemOutcome.rejected("exit code " + code));
    } else {
      running.outcome = Optional.of(outcome);
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

  @Override
  public void abandon() {
    var abandoned = new ItemOutcome.Abandoned();
    now.filter(running -> running.outcome.isEmpty())
        .filter(running -> running.deadline.ending().filter(abandoned::equals).isEmpty())
        .ifPresent(running -> running.deadline.end(abandoned, tools.now(), running.process));
  }

  @Override
  public void close() {
    try {
      out.close();
      err.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
