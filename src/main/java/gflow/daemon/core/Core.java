package gflow.daemon.core;

import gflow.job.Allocation;
import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.EarlySignal;
import gflow.job.Effect;
import gflow.job.Exit;
import gflow.job.GpuFault;
import gflow.job.GpuId;
import gflow.job.Grace;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobSpec;
import gflow.job.JobState;
import gflow.job.Lifecycle;
import gflow.job.Outcome;
import gflow.job.Ranges;
import gflow.job.Recipients;
import gflow.job.Step;
import gflow.job.StepId;
import gflow.job.TaskEvent;
import gflow.job.TaskId;
import gflow.job.TaskState;
import gflow.job.Usage;
import gflow.plan.Holding;
import gflow.plan.PlanningView;
import gflow.plan.Reason;
import gflow.store.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the loop may do to the queue. Each operation changes the ledger and notes what is to be
 * committed and what is to be done afterwards; nothing here reaches outside. Not for two threads.
 */
public final class Core {
  /** How steps end that were still there when their attempt ended. */
  private static final Exit KILLED = Exit.signal(9);

  private final Ledger ledger;
  private final Inventory inventory;
  private final Grace grace;
  private final Routing routing;
  private final UnitOfWork notes = new UnitOfWork();
  private final StepBook steps;
  private final LoanBook loans = new LoanBook(notes);
  private final ProgressLines progress = new ProgressLines();
  private final GpuHealth health;
  private Ports ports = Ports.NONE;
  private long nextId;
  private Optional<Instant> zero = Optional.empty();
  private boolean diskLow;
  private Optional<String> trouble = Optional.empty();

  /** How far this group was, for taking back what came after. */
  record Mark(
      int undo,
      UnitOfWork.Mark notes,
      long nextId,
      OperatorControls controls,
      PerAttempt<StepBook.Shelf> steps,
      PerAttempt<LoanBook.Shelf> loans,
      Optional<Instant> zero) {}

  public Core(Ledger ledger, Inventory inventory, Grace grace, Routing routing, long nextId) {
    this.ledger = ledger;
    this.inventory = inventory;
    this.grace = grace;
    this.routing = routing;
    this.nextId = nextId;
    health = new GpuHealth(inventory, this::holdings, this::control);
    steps = new StepBook(notes, ledger.timers(), this::grace);
  }

  public Ledger ledger() {
    return ledger;
  }

  public Inventory inventory() {
    return inventory;
  }

  public StepBook steps() {
    return steps;
  }

  public LoanBook loans() {
    return loans;
  }

  public ProgressLines progress() {
    return progress;
  }

  public GpuHealth health() {
    return health;
  }

  /** What attempts get their ports from. */
  public void ports(Ports given) {
    ports = given;
  }

  // ---- the clock ----

  /** At the start of the daemon: the machine's start as the last one knew it. */
  public void clockWas(Optional<Instant> before) {
    zero = before;
  }

  boolean isClockSet(Clocks.Reading clock) {
    return zero.isEmpty() || Clocks.set(zero.get(), clock.zero()).isPresent();
  }

  /**
   * Somebody has set the machine's clock. Times of what runs are brought along, so that everything
   * lasts as long as it should, and an end still comes after its start.
   */
  boolean clock(Clocks.Reading clock) {
    if (zero.isEmpty()) {
      // In a new boot the clock may have been set since the queue was read by it.
      ledger.clockSet(Duration.ZERO, clock.now());
    }
    zero.flatMap(before -> Clocks.set(before, clock.zero()))
        .ifPresent(
            by -> {
              notes.commit(new Change.ClockSet(by));
              ledger.clockSet(by, clock.now());
              ledger.jobs().stream().filter(Job::someRest).forEach(notes::progress);
              steps.clockSet(by);
              loans.clockSet(by);
              inventory.clockSet(by);
            });
    zero = Optional.of(clock.zero());
    notes.commit(Clocks.keep(inventory.boot(), clock.zero()));
    return true;
  }

  public Optional<StepBook.Home> home(JobId number) {
    return ledger.home(number);
  }

  /** News of the engine: the process that has the step's part is gone, and all that it started. */
  void stepEnded(StepId step, Step.End end, Instant now) {
    Optional<StepBook.Home> home =
        home(step.attempt().task().number()).filter(h -> h.id().equals(step.attempt()));
    steps.ended(step, end, home, now);
    notes.effect(new Effect.DiscardStep(step));
  }

  // ---- what can be asked for ----

  /** Takes in a job and gives it its numbers. */
  public Job submit(JobSpec asked, Instant now) {
    var id = new JobId(nextId);
    JobSpec spec = ledger.newest().map(job -> asked.sharing(job.spec())).orElse(asked);
    Job job = Job.submitted(id, spec, now);
    nextId = job.numbers().end();
    notes.commit(new Change.Submit(job));
    ledger.put(job, now);
    notes.news(job, 0, job.state(0), now);
    return job;
  }

  public void note(Change change) {
    notes.commit(change);
  }

  /** What the operator said; known at once, and again after the next start. */
  public void control(OperatorControls controls) {
    control(controls, new Change.Setting(OperatorControls.KEY, controls.text()));
  }

  public void control(OperatorControls controls, Change setting) {
    notes.commit(setting);
    inventory.controls(controls);
  }

  /** Cancels those of the job's tasks that are not over; returns how many that were. */
  public int cancel(Job job, Ranges offsets, String by, Instant now) {
    Job current = ledger.job(job.id()).orElseThrow();
    Ranges waiting = current.waiting().union(current.held()).intersect(offsets);
    drop(current, waiting, "cancelled by " + by, now);
    var running = current.live().keySet().stream().filter(offsets::contains).toList();
    for (int offset : running) {
      step(current.task(offset), new TaskEvent.Cancel(by, now), now);
    }
    return waiting.size() + running.size();
  }

  /** Sends a signal to those of the job's tasks that run; returns how many that were. */
  public int signal(Job job, Ranges offsets, int signal, Recipients to) {
    int count = 0;
    for (var live : job.live().entrySet()) {
      boolean runs = live.getValue().shown() == JobState.RUNNING;
      if (runs && offsets.contains(live.getKey())) {
        AttemptId id = id(job.task(live.getKey()), Attempt.of(live.getValue()).orElseThrow());
        notes.effect(new Effect.Signal(id, signal, to.of(job.spec().program())));
        count++;
      }
    }
    return count;
  }

  /** Has those of the job's tasks that run end and run again; returns how many that were. */
  public int requeue(Job job, Ranges offsets, TaskEvent.Requeue event) {
    var running = job.live().keySet().stream().filter(offsets::contains).toList();
    running.forEach(offset -> step(job.task(offset), event, event.at()));
    return running.size();
  }

  private void drop(Job job, Ranges waiting, String why, Instant now) {
    if (waiting.isEmpty()) {
      return;
    }
    Job dropped = job.drop(waiting, now, why);
    progress(dropped, now);
    notes.news(dropped, waiting.first(), cancelledWaiting(now, why), now);
  }

  private static TaskState cancelledWaiting(Instant now, String why) {
    return new TaskState.Ended(
        Optional.empty(), new Outcome(JobState.CANCELLED, Exit.OK, Usage.UNKNOWN, now, why));
  }

  public void hold(Job job, Ranges offsets, Instant now) {
    progress(job.hold(offsets), now);
  }

  public void release(Job job, Ranges offsets, Instant now) {
    progress(job.release(offsets), now);
  }

  public void respec(Job job, JobSpec spec, Instant now) {
    Job changed = job.withSpec(spec);
    notes.commit(new Change.Respec(changed));
    ledger.put(changed, now);
  }

  // ---- what happens ----

  /** News of the engine; late news of an attempt that is no longer the current one say nothing. */
  public void happened(AttemptId attempt, TaskEvent event, Instant now) {
    ledger
        .job(attempt.task().job())
        .map(job -> job.live().get(attempt.task().offset()))
        .flatMap(Attempt::of)
        .filter(current -> current.number() == attempt.number())
        .ifPresent(
            current -> {
              ledger.setbacks().heard(attempt.task(), event, now, ledger.timers());
              step(attempt.task(), health.use().told(attempt, event), now);
            });
  }

  /** False if it was nobody's time. */
  boolean timers(Instant now) {
    List<Timers.Timer> due = ledger.timers().due(now);
    for (Timers.Timer timer : due) {
      ledger.job(timer.task().job()).ifPresent(job -> due(job, timer, now));
    }
    return !due.isEmpty();
  }

  private void due(Job job, Timers.Timer timer, Instant now) {
    TaskState state = job.state(timer.task().offset());
    switch (timer.kind()) {
      case LOOK_AGAIN -> ledger.enqueue(job, now);
      case SIGNAL -> {
        if (state instanceof TaskState.Running(Attempt attempt)) {
          signal(job, timer, attempt);
        }
      }
      case TIME_LIMIT -> {
        // One of an earlier boot runs no more, and its clock was another.
        Optional<Instant> deadline =
            Attempt.of(state)
                .filter(a -> !a.isOfAnotherBoot(inventory.boot()))
                .flatMap(a -> Ledger.deadline(job, a));
        if (timer.isFor(deadline)) {
          step(timer.task(), new TaskEvent.TimeUp(now), now);
        }
      }
      case STEP -> steps.due(timer.task(), now);
      case KILL -> {
        if (state instanceof TaskState.Completing c && !c.killAt().isAfter(now)) {
          step(timer.task(), new TaskEvent.KillDue(now), now);
        }
      }
    }
  }

  private void signal(Job job, Timers.Timer timer, Attempt attempt) {
    if (timer.isFor(Ledger.signalAt(job, attempt))) {
      EarlySignal signal = job.spec().asked().signal().orElseThrow();
      Duration limit = job.spec().terms().timeLimit().orElseThrow();
      notes.effect(
          new Effect.Warn(
              id(timer.task(), attempt),
              signal.signal(),
              signal.recipients(job.spec().program()),
              limit));
    }
  }

  /**
   * Judges dependencies again, and cancels those that wait for what can never come. False if there
   * was nothing to judge.
   */
  public boolean dependencies(Instant now) {
    boolean any = false;
    for (var touched = ledger.touched(); !touched.isEmpty(); touched = ledger.touched()) {
      any = true;
      for (Job job : touched) {
        ledger.enqueue(job, now);
        if (ledger.parents().never(job.id()) && job.spec().terms().dependencies().cancelIfNever()) {
          drop(
              job,
              job.waiting().union(job.held()),
              new Reason.DependencyNeverSatisfied().text(),
              now);
        }
      }
    }
    return any;
  }

  // ---- who starts ----

  public PlanningView view(Instant now) {
    return new PlanningView(
        now, inventory.machine(), holdings(), ledger.book(), inventory.limits());
  }

  /** Who holds what, with the GPUs on loan. */
  public List<Holding> holdings() {
    return loans.with(ledger.holdings());
  }

  public void diskLow(boolean low) {
    diskLow = low;
  }

  public boolean diskLow() {
    return diskLow;
  }

  /** Why the last group could not be committed. */
  public Optional<String> trouble() {
    return trouble;
  }

  /** Starts what may start, and lends what is left; false if the GPUs must be looked at first. */
  public boolean plan(Instant now) {
    return new JobStarts(this, routing, ports).plan(now);
  }

  /** Whether somebody waits for GPUs that others may leave without telling us. */
  public boolean waitsForOutsiders() {
    return inventory.mayChange() && (!ledger.book().isEmpty() || loans.wantsMore());
  }

  // ---- one step of one task ----

  private Duration grace(TaskId task) {
    return ledger.job(task.job()).map(job -> grace.of(job.spec())).orElse(Grace.OURS);
  }

  void step(TaskId task, TaskEvent event, Instant now) {
    Job job = ledger.job(task.job()).orElseThrow();
    TaskState before = job.state(task.offset());
    Instant killAt = now.plus(grace.of(job.spec()));
    Lifecycle.Transition transition =
        Lifecycle.next(before, event, job.rules(task.offset(), now, killAt, company(before, now)));
    TaskState after = transition.state();
    if (after.equals(before)) {
      return;
    }
    if (after instanceof TaskState.Pending || after instanceof TaskState.Ended) {
      Attempt.of(before)
          .ifPresent(attempt -> over(id(task, attempt), attempt, transition.over(), now));
    }
    TransitionEffects.change(task, before, transition).ifPresent(notes::commit);
    Job put = job.with(task.offset(), after);
    Job next =
        after instanceof TaskState.Pending ? put.again(task.offset(), transition.again()) : put;
    if (TransitionEffects.isDurable(after)) {
      progress(next, now);
    } else {
      ledger.put(next, now);
    }
    TransitionEffects.effect(next, task, before, transition).ifPresent(notes::effect);
    notes.news(next, task.offset(), after, event.at());
  }

  /** Of the GPUs of a task in that state: who else could use memory, and what was wrong there. */
  private Lifecycle.GpuCompany company(TaskState state, Instant now) {
    List<Allocation.GpuGrant> gpus =
        Attempt.of(state).map(attempt -> attempt.allocation().gpus()).orElse(List.of());
    boolean shared = gpus.stream().anyMatch(g -> !g.whole() || inventory.hasOutsider(g.gpu()));
    List<GpuId> ids = gpus.stream().map(Allocation.GpuGrant::gpu).toList();
    Optional<GpuFault> fault =
        Attempt.of(state).flatMap(a -> health.faults().of(ids, a.startedAt(), now));
    return new Lifecycle.GpuCompany(shared, fault);
  }

  /** What ran in it ends with it, and what was lent to it comes back. */
  private void over(AttemptId id, Attempt attempt, Optional<Outcome> outcome, Instant now) {
    Instant at = outcome.map(Outcome::endedAt).orElse(attempt.startedAt());
    steps.over(id, KILLED, at, now);
    loans.over(id, at);
    outcome.flatMap(_ -> health.use().toKeep(id)).ifPresent(notes::commit);
    notes.afterwards(
        () -> {
          progress.over(id);
          health.use().over(id);
        });
  }

  private static AttemptId id(TaskId task, Attempt attempt) {
    return new AttemptId(task, attempt.number());
  }

  private void progress(Job job, Instant now) {
    ledger.put(job, now);
    notes.progress(job);
  }

  // ---- the group ----

  Mark mark() {
    return new Mark(
        ledger.mark(),
        notes.mark(),
        nextId,
        inventory.controls(),
        steps.mark(),
        loans.mark(),
        zero);
  }

  void undoTo(Mark mark, Instant now) {
    ledger.undoTo(mark.undo(), now);
    notes.undoTo(mark.notes());
    steps.undoTo(mark.steps());
    loans.undoTo(mark.loans());
    nextId = mark.nextId();
    zero = mark.zero();
    inventory.controls(mark.controls());
  }

  /** All that is to be committed. */
  public List<Change> changes() {
    return notes.changes(ledger);
  }

  /** After the commit: what is to be done, and told. */
  public UnitOfWork.Settled settle() {
    ledger.settle();
    trouble = Optional.empty();
    return notes.settle();
  }

  /** Nothing of the group was kept: everything is as before the mark, and what was due is due. */
  void failed(Mark mark, Optional<String> why, Instant now) {
    undoTo(mark, now);
    ledger.timers().putBack();
    trouble = why;
  }
}
