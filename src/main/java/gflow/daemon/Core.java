package gflow.daemon;

import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Effect;
import gflow.job.Exit;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobSpec;
import gflow.job.JobState;
import gflow.job.Lifecycle;
import gflow.job.Outcome;
import gflow.job.Ranges;
import gflow.job.Step;
import gflow.job.StepId;
import gflow.job.TaskEvent;
import gflow.job.TaskId;
import gflow.job.TaskState;
import gflow.job.Usage;
import gflow.plan.Plan;
import gflow.plan.Planner;
import gflow.plan.Reason;
import gflow.plan.View;
import gflow.store.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;

/**
 * What the loop may do to the queue. Each operation changes the ledger and notes what is to be
 * committed and what is to be done afterwards; nothing here reaches outside. Not for two threads.
 */
final class Core {
  /** How steps end that were still there when their attempt ended. */
  private static final Exit KILLED = Exit.signal(9);

  private final Ledger ledger;
  private final Inventory inventory;
  private final Duration grace;
  private final List<Change> changes = new ArrayList<>();
  private final SequencedSet<JobId> progressed = new LinkedHashSet<>();
  private final List<Job> over = new ArrayList<>();
  private final List<Effect> effects = new ArrayList<>();
  private final List<News> news = new ArrayList<>();
  private final List<Runnable> told = new ArrayList<>();
  private final StepBook steps = new StepBook(new Notes());
  private long nextId;
  private boolean diskLow;
  private Optional<String> trouble = Optional.empty();

  /** A task changed its state: for those who watch. */
  record News(Job job, int offset, TaskState state, Instant at) {}

  /** How far the notes of this group were, for taking back what came after. */
  record Mark(
      int undo,
      int changes,
      int effects,
      int news,
      int over,
      long nextId,
      Controls controls,
      int told,
      Object steps) {}

  /** Steps are committed with all the rest. */
  private final class Notes implements StepBook.Notes {
    @Override
    public void commit(Change change) {
      changes.add(change);
    }

    @Override
    public void afterwards(Runnable tell) {
      told.add(tell);
    }
  }

  Core(Ledger ledger, Inventory inventory, Duration grace, long nextId) {
    this.ledger = ledger;
    this.inventory = inventory;
    this.grace = grace;
    this.nextId = nextId;
  }

  Ledger ledger() {
    return ledger;
  }

  Inventory inventory() {
    return inventory;
  }

  StepBook steps() {
    return steps;
  }

  /** Runs it when what was done so far is committed. */
  void afterwards(Runnable tell) {
    told.add(tell);
  }

  /** The attempt that this job number has now, if steps may start in it. */
  Optional<StepBook.Home> home(JobId number) {
    Optional<Job> job = ledger.owner(number);
    if (job.isEmpty()) {
      return Optional.empty();
    }
    int offset = Math.toIntExact(number.value() - job.get().id().value());
    return switch (job.get().state(offset)) {
      case TaskState.Starting(Attempt attempt) -> Optional.of(home(job.get(), offset, attempt));
      case TaskState.Running(Attempt attempt) -> Optional.of(home(job.get(), offset, attempt));
      case TaskState.Pending _, TaskState.Completing _, TaskState.Ended _ -> Optional.empty();
    };
  }

  private static StepBook.Home home(Job job, int offset, Attempt attempt) {
    return new StepBook.Home(id(job.task(offset), attempt), attempt, job.spec().request());
  }

  /** News of the engine: the process that has the step's part is gone, and all that it started. */
  void stepEnded(StepId step, Step.End end, Instant now) {
    Optional<StepBook.Home> home =
        home(step.attempt().task().number()).filter(h -> h.id().equals(step.attempt()));
    steps.ended(step, end, home, now);
  }

  // ---- what can be asked for ----

  /** Takes in a job and gives it its numbers. */
  Job submit(JobSpec spec, Instant now) {
    var id = new JobId(nextId);
    nextId = Math.addExact(nextId, spec.tasks().count());
    Job job = Job.submitted(id, spec, now);
    changes.add(new Change.Submit(job));
    ledger.put(job, now);
    news.add(new News(job, 0, job.state(0), now));
    return job;
  }

  void note(Change change) {
    changes.add(change);
  }

  /** What the operator said; known at once, and again after the next start. */
  void control(Controls controls, Change setting) {
    changes.add(setting);
    inventory.controls(controls);
  }

  /** Cancels those of the job's tasks that are not over; returns how many that were. */
  int cancel(Job job, Ranges offsets, String by, Instant now) {
    Job current = ledger.job(job.id()).orElseThrow();
    Ranges waiting = current.waiting().union(current.held()).intersect(offsets);
    drop(current, waiting, "cancelled by " + by, now);
    var running = current.live().keySet().stream().filter(offsets::contains).toList();
    for (int offset : running) {
      step(current.task(offset), new TaskEvent.Cancel(by, now), now);
    }
    return waiting.size() + running.size();
  }

  private void drop(Job job, Ranges waiting, String why, Instant now) {
    if (waiting.isEmpty()) {
      return;
    }
    Job dropped = job.drop(waiting, now, why);
    progress(dropped, now);
    news.add(new News(dropped, waiting.first(), cancelledWaiting(now, why), now));
  }

  private static TaskState cancelledWaiting(Instant now, String why) {
    return new TaskState.Ended(
        Optional.empty(), new Outcome(JobState.CANCELLED, Exit.OK, Usage.UNKNOWN, now, why));
  }

  void hold(Job job, Ranges offsets, Instant now) {
    progress(job.hold(offsets), now);
  }

  void release(Job job, Ranges offsets, Instant now) {
    progress(job.release(offsets), now);
  }

  void respec(Job job, JobSpec spec, Instant now) {
    Job changed = job.withSpec(spec);
    changes.add(new Change.Respec(changed));
    ledger.put(changed, now);
  }

  // ---- what happens ----

  /** News of the engine; late news of an attempt that is no longer the current one say nothing. */
  void happened(AttemptId attempt, TaskEvent event, Instant now) {
    ledger
        .job(attempt.task().job())
        .map(job -> job.live().get(attempt.task().offset()))
        .flatMap(Core::attempt)
        .filter(current -> current.number() == attempt.number())
        .ifPresent(current -> step(attempt.task(), event, now));
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
      case TIME_LIMIT -> {
        Optional<Instant> deadline = attempt(state).flatMap(a -> Ledger.deadline(job, a));
        if (deadline.isPresent() && !deadline.get().isAfter(now)) {
          step(timer.task(), new TaskEvent.TimeUp(now), now);
        }
      }
      case KILL -> {
        if (state instanceof TaskState.Completing c && !c.killAt().isAfter(now)) {
          step(timer.task(), new TaskEvent.KillDue(now), now);
        }
      }
    }
  }

  /**
   * Judges dependencies again, and cancels those that wait for what can never come. False if there
   * was nothing to judge.
   */
  boolean dependencies(Instant now) {
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

  View view(Instant now) {
    return new View(now, inventory.machine(), ledger.holdings(), ledger.book(), inventory.limits());
  }

  void diskLow(boolean low) {
    diskLow = low;
  }

  boolean diskLow() {
    return diskLow;
  }

  /** Why the last group could not be committed. */
  Optional<String> trouble() {
    return trouble;
  }

  /**
   * Starts what may start; false if the GPUs must be looked at: before one is given out, or because
   * one that was not free may be so by now.
   */
  boolean plan(Instant now) {
    if (diskLow || ledger.book().isEmpty()) {
      return true;
    }
    boolean fresh = inventory.fresh(now);
    List<Plan.Start> starts = Planner.plan(view(now)).starts();
    // What has started may change what is kept for the first in turn, and so make room for more.
    while (start(starts, fresh, now)) {
      starts = Planner.plan(view(now)).starts();
    }
    return fresh || (starts.isEmpty() && !(inventory.mayChange() && !ledger.book().isEmpty()));
  }

  /** Those on GPUs only if it is known who else is there; false if none was started. */
  private boolean start(List<Plan.Start> starts, boolean gpusToo, Instant now) {
    List<Plan.Start> possible =
        starts.stream().filter(s -> gpusToo || s.allocation().gpus().isEmpty()).toList();
    String boot = inventory.boot();
    for (Plan.Start start : possible) {
      Job job = ledger.job(start.job()).orElseThrow();
      step(
          job.task(job.waiting().first()), new TaskEvent.Start(start.allocation(), boot, now), now);
    }
    return !possible.isEmpty();
  }

  // ---- one step of one task ----

  private void step(TaskId task, TaskEvent event, Instant now) {
    Job job = ledger.job(task.job()).orElseThrow();
    TaskState before = job.state(task.offset());
    Lifecycle.Step step = Lifecycle.step(before, event, now.plus(grace));
    if (step.state().equals(before)) {
      return;
    }
    TaskState after = note(job, task, before, step.state());
    Job counted = spares(step.state()) ? job.spare(task.offset()) : job;
    Job next = counted.with(task.offset(), after);
    if (isDurable(after)) {
      progress(next, event.at());
    } else {
      ledger.put(next, event.at());
    }
    effect(next, task, before, step).ifPresent(effects::add);
    news.add(new News(next, task.offset(), after, event.at()));
  }

  /** Whether the attempt came to nothing by no fault of its own: it never ran, or was lost. */
  private static boolean spares(TaskState result) {
    return switch (result) {
      case TaskState.Pending _ -> true;
      case TaskState.Ended(var attempt, var outcome) -> outcome.state() == JobState.NODE_FAIL;
      case TaskState.Starting _, TaskState.Running _, TaskState.Completing _ -> false;
    };
  }

  /** Whether the job's own row changes: what a running attempt does stands in its record. */
  private static boolean isDurable(TaskState after) {
    return switch (after) {
      case TaskState.Running _, TaskState.Completing _ -> false;
      case TaskState.Pending _, TaskState.Starting _, TaskState.Ended _ -> true;
    };
  }

  /** Notes the durable side of a step; a task that is tried again goes back to waiting. */
  private TaskState note(Job job, TaskId task, TaskState before, TaskState after) {
    switch (after) {
      case TaskState.Starting(Attempt attempt) ->
          changes.add(new Change.AttemptStarted(id(task, attempt), attempt));
      case TaskState.Running r -> {}
      case TaskState.Completing c -> {
        // That the program ended by itself stands in the attempt's record; only orders must last.
        if (!(c.cause() instanceof TaskState.Cause.ProgramEnded)) {
          changes.add(new Change.AttemptEnding(id(task, c.attempt()), c.cause(), c.killAt()));
        }
      }
      case TaskState.Pending p ->
          attempt(before)
              .ifPresent(
                  a -> {
                    steps.over(id(task, a), KILLED, a.startedAt());
                    changes.add(new Change.AttemptUndone(id(task, a)));
                  });
      case TaskState.Ended(Optional<Attempt> attempt, Outcome outcome) -> {
        if (attempt.isPresent()) {
          steps.over(id(task, attempt.get()), KILLED, outcome.endedAt());
          changes.add(new Change.AttemptEnded(id(task, attempt.get()), attempt.get(), outcome));
          if (job.triesAgain(task.offset(), attempt.get(), outcome)) {
            return new TaskState.Pending(attempt.get().number() + 1);
          }
        }
      }
    }
    return after;
  }

  private static Optional<Effect> effect(
      Job job, TaskId task, TaskState before, Lifecycle.Step step) {
    Optional<Attempt> attempt = attempt(step.state()).or(() -> attempt(before));
    return attempt.flatMap(
        a -> {
          AttemptId id = id(task, a);
          return switch (step.action()) {
            case NOTHING -> Optional.<Effect>empty();
            case LAUNCH -> Optional.of(new Effect.Launch(id, job.spec(), a.allocation()));
            case TERMINATE -> Optional.of(new Effect.Terminate(id));
            case KILL -> Optional.of(new Effect.Kill(id));
            case DISCARD -> Optional.of(new Effect.Discard(id));
          };
        });
  }

  static Optional<Attempt> attempt(TaskState state) {
    return switch (state) {
      case TaskState.Pending p -> Optional.empty();
      case TaskState.Starting(Attempt attempt) -> Optional.of(attempt);
      case TaskState.Running(Attempt attempt) -> Optional.of(attempt);
      case TaskState.Completing c -> Optional.of(c.attempt());
      case TaskState.Ended(Optional<Attempt> attempt, Outcome outcome) -> attempt;
    };
  }

  private static AttemptId id(TaskId task, Attempt attempt) {
    return new AttemptId(task, attempt.number());
  }

  private void progress(Job job, Instant now) {
    ledger.put(job, now);
    progressed.add(job.id());
    if (job.over()) {
      over.add(job);
    }
  }

  // ---- the group ----

  Mark mark() {
    return new Mark(
        ledger.mark(),
        changes.size(),
        effects.size(),
        news.size(),
        over.size(),
        nextId,
        inventory.controls(),
        told.size(),
        steps.mark());
  }

  void undoTo(Mark mark, Instant now) {
    ledger.undoTo(mark.undo(), now);
    changes.subList(mark.changes(), changes.size()).clear();
    effects.subList(mark.effects(), effects.size()).clear();
    news.subList(mark.news(), news.size()).clear();
    over.subList(mark.over(), over.size()).clear();
    told.subList(mark.told(), told.size()).clear();
    steps.undoTo(mark.steps());
    nextId = mark.nextId();
    inventory.controls(mark.controls());
  }

  /** All that is to be committed; the progress of each job once, as it is at the end. */
  List<Change> changes() {
    var all = new ArrayList<>(changes);
    var last = new HashMap<JobId, Job>();
    over.forEach(job -> last.put(job.id(), job));
    for (JobId id : progressed) {
      Optional.ofNullable(last.get(id))
          .or(() -> ledger.job(id))
          .ifPresent(job -> all.add(new Change.Progress(job)));
    }
    return all;
  }

  /** After the commit: what is to be done, and told. */
  Settled settle() {
    ledger.settle();
    trouble = Optional.empty();
    var settled =
        new Settled(List.copyOf(effects), List.copyOf(news), List.copyOf(over), List.copyOf(told));
    clear();
    return settled;
  }

  record Settled(List<Effect> effects, List<News> news, List<Job> over, List<Runnable> told) {}

  /** After a failed commit: everything is as it was before the mark. */
  void failed(Mark mark, String why, Instant now) {
    undoTo(mark, now);
    trouble = Optional.of(why);
    clear();
  }

  private void clear() {
    changes.clear();
    progressed.clear();
    over.clear();
    effects.clear();
    news.clear();
    told.clear();
  }
}
