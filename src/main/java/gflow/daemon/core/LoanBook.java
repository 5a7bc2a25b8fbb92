package gflow.daemon.core;

import gflow.job.Allocation.GpuGrant;
import gflow.job.AttemptId;
import gflow.job.Effect;
import gflow.job.GpuId;
import gflow.job.JobId;
import gflow.job.Loan;
import gflow.plan.Holding;
import gflow.plan.LoanPlanner;
import gflow.plan.LoanPlanner.Borrower;
import gflow.plan.LoanPlanner.CallBack;
import gflow.plan.PlanningView;
import gflow.store.Change;
import gflow.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The GPUs on loan of elastic attempts, and who asks for them. Only one that asks is lent
 * something, because only that one hears when the GPU is wanted back. All of it is one immutable
 * value: if a commit fails, the one before is put back.
 */
public final class LoanBook {
  private final UnitOfWork notes;
  private PerAttempt<Shelf> shelves = PerAttempt.none();

  /** A loan; the job is told of it when the GPU is {@code locked} against other daemons. */
  private record Held(Loan loan, boolean locked) {}

  /** What is kept of one attempt; {@code before}: the time of the loans that came back. */
  record Shelf(List<Held> loans, Duration before, CallBack callBack, Optional<Asking> asking) {
    static final Shelf EMPTY = new Shelf(List.of(), Duration.ZERO, CallBack.NONE, Optional.empty());

    Shelf with(List<Held> changed) {
      return new Shelf(List.copyOf(changed), before, callBack, asking);
    }

    Shelf with(CallBack called) {
      return new Shelf(loans, before, called, asking);
    }

    Shelf asked(Optional<Asking> now) {
      return new Shelf(loans, before, callBack, now);
    }

    Shelf without(Held held, Instant at) {
      var left = new ArrayList<>(loans);
      left.remove(held);
      Duration had = Duration.between(held.loan().takenAt(), at);
      Duration sum = had.isNegative() ? before : before.plus(had);
      return new Shelf(List.copyOf(left), sum, callBack, asking);
    }

    Optional<Held> find(GpuId gpu) {
      return loans.stream().filter(h -> h.loan().grant().gpu().equals(gpu)).findFirst();
    }
  }

  /** One who waits until its GPUs are not those that it knows. */
  private record Asking(StepBook.Home home, Known known, CompletableFuture<JobGpus> told) {}

  /** What the job knows: by index the GPUs that it has, and how many it is to give back. */
  public record Known(List<Integer> have, int callBack) {}

  /** The GPUs of an attempt: its own, and those on loan; and which of these shall come back. */
  public record JobGpus(List<GpuGrant> own, List<GpuGrant> lent, CallBack callBack) {
    boolean differFrom(Known known) {
      var have = new ArrayList<Integer>();
      own.forEach(gpu -> have.add(gpu.index()));
      lent.forEach(gpu -> have.add(gpu.index()));
      boolean same = have.size() == known.have().size() && known.have().containsAll(have);
      return !same || callBack.count() != known.callBack();
    }
  }

  LoanBook(UnitOfWork notes) {
    this.notes = notes;
  }

  /** At the start of the daemon: the jobs use these GPUs, whatever the locks say. */
  public void fill(List<Store.LiveLoans> all) {
    for (var live : all) {
      var held = live.loans().stream().map(loan -> new Held(loan, true)).toList();
      put(live.attempt(), new Shelf(held, live.before(), CallBack.NONE, Optional.empty()));
    }
  }

  /** What the engine locks again. */
  public List<Effect.Lend> effects() {
    var all = new ArrayList<Effect.Lend>();
    shelves
        .all()
        .forEach(
            (id, shelf) ->
                shelf.loans().forEach(h -> all.add(new Effect.Lend(id, h.loan().grant()))));
    return all;
  }

  PerAttempt<Shelf> mark() {
    return shelves;
  }

  void undoTo(PerAttempt<Shelf> mark) {
    shelves = mark;
  }

  /** The clock was set on by so much, and the loans go with it. */
  void clockSet(Duration by) {
    for (var entry : shelves.all().entrySet()) {
      List<Held> loans = entry.getValue().loans();
      var later = loans.stream().map(h -> new Held(h.loan().later(by), h.locked())).toList();
      put(entry.getKey(), entry.getValue().with(later));
    }
  }

  // ---- what can be seen ----

  List<Holding> with(List<Holding> holdings) {
    return shelves.all().isEmpty() ? holdings : holdings.stream().map(this::with).toList();
  }

  private Holding with(Holding holding) {
    var lent = new ArrayList<GpuGrant>();
    shelves
        .all()
        .forEach(
            (id, shelf) -> {
              if (id.task().equals(holding.task())) {
                shelf.loans().forEach(h -> lent.add(h.loan().grant()));
              }
            });
    return lent.isEmpty() ? holding : holding.withLent(lent);
  }

  /** Those that the job knows of. */
  public List<GpuGrant> lent(AttemptId id) {
    return shelf(id).loans().stream().filter(Held::locked).map(h -> h.loan().grant()).toList();
  }

  /** For how long it had GPUs on loan, those of each summed up. */
  public Duration time(AttemptId id, Instant now) {
    Duration sum = shelf(id).before();
    for (Held held : shelf(id).loans()) {
      Duration had = Duration.between(held.loan().takenAt(), now);
      sum = had.isNegative() ? sum : sum.plus(had);
    }
    return sum;
  }

  // ---- what is asked for ----

  /** Completed as soon as its GPUs differ from what it knows; at once if they already do. */
  public CompletableFuture<JobGpus> ask(StepBook.Home home, Known known) {
    var asking = new Asking(home, known, new CompletableFuture<>());
    Shelf shelf = shelf(home.id());
    shelf.asking().ifPresent(before -> tell(before, gpus(before.home())));
    put(home.id(), shelf.asked(Optional.of(asking)));
    return asking.told();
  }

  private void tell(Asking asking, JobGpus gpus) {
    notes.afterwards(() -> asking.told().complete(gpus));
  }

  JobGpus gpus(StepBook.Home home) {
    List<GpuGrant> own = home.attempt().allocation().gpus();
    return new JobGpus(own, lent(home.id()), shelf(home.id()).callBack());
  }

  /** Who asked has no more patience. */
  public JobGpus leave(StepBook.Home home, CompletableFuture<JobGpus> told) {
    Shelf shelf = shelf(home.id());
    if (shelf.asking().filter(a -> a.told() == told).isPresent()) {
      put(home.id(), shelf.asked(Optional.empty()));
    }
    return gpus(home);
  }

  /** The job has ended all that it had there; a GPU that came back before is no error. */
  public void back(AttemptId id, List<GpuId> gpus, Instant now) {
    for (GpuId gpu : gpus) {
      shelf(id).find(gpu).ifPresent(held -> end(id, held, now));
    }
  }

  private void end(AttemptId id, Held held, Instant at) {
    GpuId gpu = held.loan().grant().gpu();
    put(id, shelf(id).without(held, at));
    notes.commit(new Change.GivenBack(id, gpu, at));
    notes.effect(new Effect.TakeBack(id, gpu));
  }

  // ---- what happens ----

  /** News of the engine: the job may have the GPU, or another daemon has it. */
  void locked(AttemptId id, GpuId gpu, boolean ours, Instant now) {
    Optional<Held> found = shelf(id).find(gpu).filter(held -> !held.locked());
    if (found.isEmpty()) {
      return;
    }
    if (ours) {
      var loans = new ArrayList<>(shelf(id).loans());
      loans.set(loans.indexOf(found.get()), new Held(found.get().loan(), true));
      put(id, shelf(id).with(loans));
    } else {
      end(id, found.get(), now);
    }
  }

  /** The attempt is over, and with it its loans. */
  void over(AttemptId id, Instant at) {
    Shelf shelf = shelf(id);
    shelf.loans().forEach(held -> end(id, held, at));
    shelf
        .asking()
        .ifPresent(
            asking ->
                notes.afterwards(
                    () -> asking.told().completeExceptionally(new IllegalStateException("over"))));
    shelves = shelves.without(id);
  }

  // ---- who gets what ----

  boolean isEmpty() {
    return shelves.all().isEmpty();
  }

  /** Somebody asks who could use more than it has. */
  boolean wantsMore() {
    return shelves.all().values().stream()
        .anyMatch(
            shelf ->
                shelf
                    .asking()
                    .filter(a -> has(a.home(), shelf) < a.home().request().mostGpus())
                    .isPresent());
  }

  private static int has(StepBook.Home home, Shelf shelf) {
    return home.attempt().allocation().gpus().size() + shelf.loans().size();
  }

  /**
   * Lends, calls back, and tells those for whom something changed. False if there is something to
   * lend that must be looked at first.
   */
  boolean lend(
      PlanningView view,
      Function<JobId, Optional<StepBook.Home>> homes,
      boolean mayLend,
      Instant now) {
    var borrowers = new ArrayList<Borrower>();
    var ids = new TreeMap<gflow.job.TaskId, AttemptId>();
    shelves
        .all()
        .forEach(
            (id, shelf) ->
                homes
                    .apply(id.task().number())
                    .filter(home -> home.id().equals(id))
                    .ifPresent(
                        home -> {
                          boolean asks = shelf.asking().isPresent();
                          borrowers.add(new Borrower(id.task(), home.request(), asks));
                          ids.put(id.task(), id);
                        }));
    LoanPlanner.Decision decision = LoanPlanner.decide(view, borrowers);
    ids.forEach((task, id) -> call(id, decision.callBacks().getOrDefault(task, CallBack.NONE)));
    if (mayLend) {
      decision.lends().forEach(lend -> lend(ids.get(lend.task()), lend.grant(), now));
    }
    for (Map.Entry<AttemptId, Shelf> entry : shelves.all().entrySet()) {
      tellIfChanged(entry.getKey(), entry.getValue());
    }
    return mayLend || decision.lends().isEmpty();
  }

  private void call(AttemptId id, CallBack wanted) {
    if (!shelf(id).callBack().equals(wanted)) {
      put(id, shelf(id).with(wanted));
    }
  }

  private void lend(AttemptId id, GpuGrant grant, Instant now) {
    var loan = new Loan(grant, now);
    var loans = new ArrayList<>(shelf(id).loans());
    loans.add(new Held(loan, false));
    put(id, shelf(id).with(loans));
    notes.commit(new Change.Lent(id, loan));
    notes.effect(new Effect.Lend(id, grant));
  }

  private void tellIfChanged(AttemptId id, Shelf shelf) {
    shelf
        .asking()
        .filter(asking -> gpus(asking.home()).differFrom(asking.known()))
        .ifPresent(
            asking -> {
              tell(asking, gpus(asking.home()));
              put(id, shelf.asked(Optional.empty()));
            });
  }

  private Shelf shelf(AttemptId id) {
    return shelves.get(id, Shelf.EMPTY);
  }

  private void put(AttemptId id, Shelf shelf) {
    shelves = shelves.with(id, shelf);
  }
}
