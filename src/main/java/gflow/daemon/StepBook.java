package gflow.daemon;

import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Exit;
import gflow.job.Request;
import gflow.job.Step;
import gflow.job.StepId;
import gflow.job.StepRequest;
import gflow.plan.Steps;
import gflow.plan.Steps.Verdict;
import gflow.store.Change;
import gflow.store.Store;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * The steps of attempts that are not over: who runs on which part, and who waits, in the order in
 * which they came. What waits is not committed; who waits knocks again after the daemon's death.
 * All of it is one value, so that a group that could not be committed is undone by the old one.
 */
final class StepBook {
  /** What is kept of one attempt. */
  private record Shelf(int next, List<Step> running, List<Waiting> waiting) {
    static final Shelf EMPTY = new Shelf(0, List.of(), List.of());
  }

  /** A step that somebody asked for: of whom, what, and who is told when it may run. */
  record Wish(Step.Parent parent, String name, StepRequest request) {}

  /** One in the queue; {@code granted} is completed after the commit of its start. */
  private record Waiting(Wish wish, CompletableFuture<Step> granted) {}

  /** What came of a wish. */
  sealed interface Answer {
    record Runs(Step step) implements Answer {}

    record Waits(Verdict.Waits why, CompletableFuture<Step> granted) implements Answer {}

    record Never(Verdict.Never why) implements Answer {}
  }

  /** An attempt that may have steps: what it has, and what it asked for. */
  record Home(AttemptId id, Attempt attempt, Request request) {}

  /** Where a start or an end is noted, to be committed and then told. */
  interface Notes {
    void commit(Change change);

    void afterwards(Runnable told);
  }

  private static final Comparator<AttemptId> ORDER =
      Comparator.comparing(AttemptId::task).thenComparingInt(AttemptId::number);

  private final Notes notes;
  private SortedMap<AttemptId, Shelf> shelves = none();
  private Listener listener = (_, _) -> {};

  /** Hears of committed starts. */
  interface Listener {
    /** {@code bind}: to its CPUs, because the job is bound to its own. */
    void started(Step step, boolean bind);
  }

  StepBook(Notes notes) {
    this.notes = notes;
  }

  private static SortedMap<AttemptId, Shelf> none() {
    return Collections.unmodifiableSortedMap(new TreeMap<>(ORDER));
  }

  void listener(Listener heard) {
    listener = heard;
  }

  /** At the start of the daemon. */
  void fill(List<Store.LiveSteps> all) {
    for (var live : all) {
      put(live.attempt(), new Shelf(live.next(), List.copyOf(live.running()), List.of()));
    }
  }

  Object mark() {
    return shelves;
  }

  @SuppressWarnings("unchecked")
  void undoTo(Object mark) {
    shelves = (SortedMap<AttemptId, Shelf>) mark;
  }

  List<Step> running() {
    return shelves.values().stream().flatMap(shelf -> shelf.running().stream()).toList();
  }

  List<Step> running(AttemptId attempt) {
    return shelf(attempt).running();
  }

  // ---- what is asked for ----

  /** The same process asks for the same step, however often it asks. */
  Answer ask(Home home, Wish wish, Instant now) {
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
    return Steps.fit(
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
            now);
    var running = new ArrayList<>(shelf.running());
    running.add(step);
    put(home.id(), new Shelf(shelf.next() + 1, running, without(shelf, wish.parent())));
    notes.commit(new Change.StepStarted(step));
    boolean bind = home.request().bound() && wish.request().exact() && !step.overlap();
    notes.afterwards(() -> listener.started(step, bind));
    return step;
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
    put(id, new Shelf(shelf.next(), shelf.running(), queue));
    return granted;
  }

  // ---- what happens ----

  /** Who waited is gone, or does not want to wait any more. */
  void leave(AttemptId id, Step.Parent parent) {
    Shelf shelf = shelf(id);
    List<Waiting> left = without(shelf, parent);
    if (left.size() < shelf.waiting().size()) {
      put(id, new Shelf(shelf.next(), shelf.running(), left));
    }
  }

  /** Its part is free; those who wait are looked at in their order, and who fits runs. */
  void ended(StepId id, Step.End end, Optional<Home> home, Instant now) {
    Shelf shelf = shelf(id.attempt());
    Optional<Step> over = shelf.running().stream().filter(s -> s.id().equals(id)).findFirst();
    if (over.isEmpty()) {
      return;
    }
    var left = shelf.running().stream().filter(step -> !step.id().equals(id)).toList();
    put(id.attempt(), new Shelf(shelf.next(), left, shelf.waiting()));
    // The time of a file may be a little behind that of the clock.
    Instant started = over.get().startedAt();
    Instant at = end.at().isBefore(started) ? started : end.at();
    notes.commit(new Change.StepEnded(id, new Step.End(end.exit(), at)));
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

  /** The attempt is over, and with it everything that ran in it. */
  void over(AttemptId id, Exit exit, Instant at) {
    Shelf shelf = shelf(id);
    for (Step step : shelf.running()) {
      notes.commit(new Change.StepEnded(step.id(), new Step.End(exit, at)));
    }
    for (Waiting waiting : shelf.waiting()) {
      notes.afterwards(
          () -> waiting.granted().completeExceptionally(new IllegalStateException("over")));
    }
    var rest = new TreeMap<AttemptId, Shelf>(ORDER);
    rest.putAll(shelves);
    rest.remove(id);
    shelves = Collections.unmodifiableSortedMap(rest);
  }

  private Shelf shelf(AttemptId id) {
    return shelves.getOrDefault(id, Shelf.EMPTY);
  }

  private static List<Waiting> without(Shelf shelf, Step.Parent parent) {
    return shelf.waiting().stream().filter(w -> !w.wish().parent().equals(parent)).toList();
  }

  private void put(AttemptId id, Shelf shelf) {
    var changed = new TreeMap<AttemptId, Shelf>(ORDER);
    changed.putAll(shelves);
    changed.put(id, shelf);
    shelves = Collections.unmodifiableSortedMap(changed);
  }
}
