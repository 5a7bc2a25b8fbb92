package gflow.daemon.core;

import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Effect;
import gflow.job.Exit;
import gflow.job.JobId;
import gflow.job.JobState;
import gflow.job.Outcome;
import gflow.job.Request;
import gflow.job.Step;
import gflow.job.StepId;
import gflow.job.StepRequest;
import gflow.job.TaskId;
import gflow.plan.StepPlacement;
import gflow.plan.StepPlacement.Verdict;
import gflow.store.Change;
import gflow.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The steps of attempts that are not over: who runs on which part, and who waits, in the order in
 * which they came. What waits is not committed; who waits knocks again after the daemon's death.
 * All of it is one immutable value: if a commit fails, the one before is put back.
 */
public final class StepBook {
  /** What is kept of one attempt. */
  record Shelf(int next, List<Running> live, List<Waiting> waiting) {
    static final Shelf EMPTY = new Shelf(0, List.of(), List.of());

    List<Step> running() {
      return live.stream().map(Running::step).toList();
    }

    Shelf with(List<Running> changed) {
      return new Shelf(next, changed, waiting);
    }

    /** With another in the place of this one. */
    Shelf with(Running other) {
      return with(live.stream().map(r -> r.is(other.step().id()) ? other : r).toList());
    }
  }

  /** One that runs; it is killed at {@code killAt}, if this daemon has told it to end. */
  private record Running(Step step, Optional<Instant> killAt) {
    boolean is(StepId id) {
      return step.id().equals(id);
    }

    Running later(Duration by) {
      return new Running(step.later(by), killAt.map(at -> at.plus(by)));
    }
  }

  /** A step that somebody asked for: of whom, what, and who is told when it may run. */
  public record Wish(
      Step.Parent parent, String name, StepRequest request, Optional<Duration> timeLimit) {}

  /** One in the queue; {@code granted} is completed after the commit of its start. */
  private record Waiting(Wish wish, CompletableFuture<Step> granted) {}

  /** What came of a wish. */
  public sealed interface Answer {
    record Runs(Step step) implements Answer {}

    record Waits(Verdict.Waits why, CompletableFuture<Step> granted) implements Answer {}

    record Never(Verdict.Never why) implements Answer {}
  }

  /** An attempt that may have steps: what it has, what it asked for, and whether it is fenced. */
  public record Home(AttemptId id, Attempt attempt, Request request, boolean fenced) {}

  /** Where a start or an end is noted, to be committed and then told. */
  interface Notes {
    void commit(Change change);

    void effect(Effect effect);

    void afterwards(Runnable told);
  }

  private static final int TERM = 15;
  private static final int KILL = 9;

  private final Notes notes;
  private final Timers timers;
  private final Function<TaskId, Duration> grace;
  private PerAttempt<Shelf> shelves = PerAttempt.none();

  /** {@code timers}: where it stands when a step shall end, and {@code grace} later be killed. */
  StepBook(Notes notes, Timers timers, Function<TaskId, Duration> grace) {
    this.notes = notes;
    this.timers = timers;
    this.grace = grace;
  }

  /** At the start of the daemon. */
  public void fill(List<Store.LiveSteps> all) {
    for (var live : all) {
      var running = live.running().stream().map(s -> new Running(s, Optional.empty())).toList();
      put(live.attempt(), new Shelf(live.next(), running, List.of()));
      running.forEach(this::setTimer);
    }
  }

  /** The clock was set on by so much, and the steps go with it. */
  void clockSet(Duration by) {
    for (var entry : shelves.all().entrySet()) {
      List<Running> later = entry.getValue().live().stream().map(r -> r.later(by)).toList();
      put(entry.getKey(), entry.getValue().with(later));
      later.forEach(this::setTimer);
    }
  }

  PerAttempt<Shelf> mark() {
    return shelves;
  }

  void undoTo(PerAttempt<Shelf> mark) {
    shelves = mark;
  }

  public List<Step> running() {
    return shelves.all().values().stream().flatMap(shelf -> shelf.running().stream()).toList();
  }

  /** Whether it has had steps. */
  public boolean hasHad(AttemptId attempt) {
    return shelf(attempt).next() > 0;
  }

  public List<Step> running(AttemptId attempt) {
    return shelf(attempt).running();
  }

  // ---- what is asked for ----

  /** The same process asks for the same step, however often it asks. */
  public Answer ask(Home home, Wish wish, Instant now) {
    Shelf shelf = shelf(home.id());
    for (Step step : shelf.running()) {
      if (step.parent().equals(wish.parent())) {
        return new Answer.Runs(step);
      }
    }
    return switch (judge(home, wish)) {
      case Verdict.Fits(Step.Share share) -> new Answer.Runs(start(home, wish, share, now));
      case Verdict.Never never -> new Answer.Never(never);
      case Verdict.Waits waits -> new Answer.Waits(waits, queue(home.id(), wish));
    };
  }

  private Verdict judge(Home home, Wish wish) {
    return StepPlacement.fit(
        home.attempt().allocation(), home.request(), shelf(home.id()).running(), wish.request());
  }

  private Step start(Home home, Wish wish, Step.Share share, Instant now) {
    Shelf shelf = shelf(home.id());
    var step =
        new Step(
            new StepId(home.id(), shelf.next()),
            wish.name(),
            wish.request().tasks(),
            wish.request().overlap(),
            share,
            wish.parent(),
            now,
            wish.timeLimit().map(limit -> new Step.Ending(now.plus(limit), JobState.TIMEOUT)));
    var running = new ArrayList<>(shelf.live());
    running.add(new Running(step, Optional.empty()));
    put(home.id(), new Shelf(shelf.next() + 1, running, without(shelf, wish.parent())));
    notes.commit(new Change.StepStarted(step));
    notes.effect(new Effect.BeginStep(step));
    setTimer(running.getLast());
    return step;
  }

  private void setTimer(Running one) {
    one.killAt()
        .or(() -> one.step().ending().map(Step.Ending::at))
        .ifPresent(at -> timers.set(at, Timers.Kind.STEP, one.step().id().attempt().task()));
  }

  private CompletableFuture<Step> queue(AttemptId id, Wish wish) {
    Shelf shelf = shelf(id);
    for (Waiting waiting : shelf.waiting()) {
      if (waiting.wish().parent().equals(wish.parent())) {
        return waiting.granted();
      }
    }
    var granted = new CompletableFuture<Step>();
    var queue = new ArrayList<>(shelf.waiting());
    queue.add(new Waiting(wish, granted));
    put(id, new Shelf(shelf.next(), shelf.live(), queue));
    return granted;
  }

  // ---- how it is ended ----

  public Optional<Step> running(JobId job, int number) {
    return shelves.all().entrySet().stream()
        .filter(shelf -> shelf.getKey().task().number().equals(job))
        .flatMap(shelf -> shelf.getValue().running().stream())
        .filter(step -> step.id().number() == number)
        .findFirst();
  }

  /** From now on it shall end; false if it shall already. */
  public boolean cancel(Step step, Instant now) {
    if (step.ending().filter(ending -> !ending.at().isAfter(now)).isPresent()) {
      return false;
    }
    var ending = new Step.Ending(now, JobState.CANCELLED);
    var ordered = new Running(step.withEnding(ending), Optional.empty());
    put(step.id().attempt(), shelf(step.id().attempt()).with(ordered));
    notes.commit(new Change.StepEnding(step.id(), ending));
    setTimer(ordered);
    return true;
  }

  public void signal(Step step, int signal) {
    notes.effect(new Effect.SignalStep(step, signal));
  }

  /** It is time for those of a task that shall end by now, or should have ended. */
  void due(TaskId task, Instant now) {
    for (var entry : shelves.all().entrySet()) {
      if (entry.getKey().task().equals(task)) {
        entry.getValue().live().forEach(one -> due(one, now));
      }
    }
  }

  /**
   * The time to end in peace counts from our own SIGTERM: whether the last daemon sent one, nobody
   * knows.
   */
  private void due(Running one, Instant now) {
    Optional<Instant> at = one.killAt().or(() -> one.step().ending().map(Step.Ending::at));
    if (at.isPresent() && !at.get().isAfter(now)) {
      signal(one.step(), one.killAt().isPresent() ? KILL : TERM);
      AttemptId id = one.step().id().attempt();
      var told = new Running(one.step(), Optional.of(now.plus(grace.apply(id.task()))));
      put(id, shelf(id).with(told));
      setTimer(told);
    }
  }

  // ---- what happens ----

  /** Who waited is gone, or does not want to wait any more. */
  public void leave(AttemptId id, Step.Parent parent) {
    Shelf shelf = shelf(id);
    List<Waiting> left = without(shelf, parent);
    if (left.size() < shelf.waiting().size()) {
      put(id, new Shelf(shelf.next(), shelf.live(), left));
    }
  }

  /** Its part is free; those who wait are looked at in their order, and who fits runs. */
  void ended(StepId id, Step.End end, Optional<Home> home, Instant now) {
    Shelf shelf = shelf(id.attempt());
    Optional<Step> over = shelf.running().stream().filter(s -> s.id().equals(id)).findFirst();
    if (over.isEmpty()) {
      return;
    }
    put(id.attempt(), shelf.with(shelf.live().stream().filter(r -> !r.is(id)).toList()));
    Instant at = Outcome.end(over.get().startedAt(), end.at(), now);
    notes.commit(new Change.StepEnded(id, new Step.End(end.exit(), at, end.usage())));
    home.ifPresent(where -> startThoseWhoFit(where, now));
  }

  private void startThoseWhoFit(Home home, Instant now) {
    for (Waiting waiting : shelf(home.id()).waiting()) {
      if (judge(home, waiting.wish()) instanceof Verdict.Fits(Step.Share share)) {
        Step step = start(home, waiting.wish(), share, now);
        notes.afterwards(() -> waiting.granted().complete(step));
      }
    }
  }

  /** The attempt is over, and with it everything that ran in it, also what began a little later. */
  void over(AttemptId id, Exit exit, Instant over, Instant now) {
    Shelf shelf = shelf(id);
    for (Step step : shelf.running()) {
      Instant at = Outcome.end(step.startedAt(), over, now);
      if (step.ending().filter(ending -> !ending.at().isAfter(at)).isEmpty()) {
        var ending = new Step.Ending(at, JobState.CANCELLED);
        notes.commit(new Change.StepEnding(step.id(), ending));
      }
      notes.commit(new Change.StepEnded(step.id(), new Step.End(exit, at)));
    }
    for (Waiting waiting : shelf.waiting()) {
      notes.afterwards(
          () -> waiting.granted().completeExceptionally(new IllegalStateException("over")));
    }
    shelves = shelves.without(id);
  }

  private Shelf shelf(AttemptId id) {
    return shelves.get(id, Shelf.EMPTY);
  }

  private static List<Waiting> without(Shelf shelf, Step.Parent parent) {
    return shelf.waiting().stream().filter(w -> !w.wish().parent().equals(parent)).toList();
  }

  private void put(AttemptId id, Shelf shelf) {
    shelves = shelves.with(id, shelf);
  }
}
