package gflow.daemon.core;

import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobSpec;
import gflow.job.Owner;
import gflow.job.TaskId;
import gflow.job.TaskState;
import gflow.job.Where;
import gflow.plan.Book;
import gflow.plan.Candidate;
import gflow.plan.Holding;
import gflow.store.History;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All jobs that are not over, and what follows from them: who waits in the book, who holds what,
 * which times matter. Jobs change only through {@link #put}, which remembers what was there before,
 * so that a group of changes that could not be committed is undone.
 */
public final class Ledger {
  private final TreeMap<JobId, Job> jobs = new TreeMap<>();
  private final TreeMap<TaskId, Holding> holdings = new TreeMap<>();
  private final Book book = new Book();
  private final Timers timers = new Timers();
  private final Setbacks setbacks = new Setbacks();
  private final DependencyIndex parents;
  private final Deque<Before> undo = new ArrayDeque<>();
  private long waitingTasks;

  private record Before(JobId id, @Nullable Job job) {}

  public Ledger(History history) {
    parents = new DependencyIndex(history, this::owner, jobs::values);
  }

  public Collection<Job> jobs() {
    return jobs.values();
  }

  /** From that one on, in the order of their ids. */
  public Collection<Job> from(JobId first) {
    return jobs.tailMap(first, true).values();
  }

  /** Below that one, newest first. */
  public Collection<Job> before(JobId end) {
    return jobs.headMap(end, false).descendingMap().values();
  }

  Optional<Job> newest() {
    return Optional.ofNullable(jobs.lastEntry()).map(Map.Entry::getValue);
  }

  Optional<JobId> newest(Owner owner) {
    return jobs.descendingMap().values().stream()
        .filter(job -> job.spec().owner().uid() == owner.uid())
        .map(Job::id)
        .findFirst();
  }

  public Optional<Job> job(JobId id) {
    return Optional.ofNullable(jobs.get(id));
  }

  /** The unfinished job that owns this number as its own id or as that of a task. */
  public Optional<Job> owner(JobId number) {
    Map.Entry<JobId, Job> below = jobs.floorEntry(number);
    if (below == null) {
      return Optional.empty();
    }
    Job job = below.getValue();
    return job.numbers().owns(number) ? Optional.of(job) : Optional.empty();
  }

  /** The attempt that this job number has now, if steps may start in it. */
  Optional<StepBook.Home> home(JobId number) {
    Optional<Job> job = owner(number);
    if (job.isEmpty()) {
      return Optional.empty();
    }
    int offset = job.get().numbers().offset(number);
    return switch (job.get().state(offset)) {
      case TaskState.Starting(Attempt attempt) -> Optional.of(home(job.get(), offset, attempt));
      case TaskState.Running(Attempt attempt) -> Optional.of(home(job.get(), offset, attempt));
      case TaskState.Pending _, TaskState.Queued _, TaskState.Completing _, TaskState.Ended _ ->
          Optional.empty();
    };
  }

  private static StepBook.Home home(Job job, int offset, Attempt attempt) {
    return new StepBook.Home(
        new AttemptId(job.task(offset), attempt.number()),
        attempt,
        job.spec().request(),
        job.spec().fence().isPresent());
  }

  public List<Holding> holdings() {
    return List.copyOf(holdings.values());
  }

  public Book book() {
    return book;
  }

  Timers timers() {
    return timers;
  }

  public DependencyIndex parents() {
    return parents;
  }

  public Setbacks setbacks() {
    return setbacks;
  }

  public long waitingTasks() {
    return waitingTasks;
  }

  /** Puts in a new job or the next version of one; a job that is over leaves. */
  public void put(Job job, Instant now) {
    undo.push(new Before(job.id(), jobs.get(job.id())));
    if (job.over()) {
      setbacks.forget(job.id());
      parents.ended(job);
    }
    replace(job.id(), job.over() ? null : job, now);
  }

  /** The clock was set on by so much: what runs goes with it, what waits for a time does not. */
  void clockSet(Duration by, Instant now) {
    for (Job job : List.copyOf(jobs.values())) {
      if (job.live().isEmpty() && !job.someRest()) {
        enqueue(job, now);
      } else {
        put(job.later(by), now);
      }
    }
  }

  int mark() {
    return undo.size();
  }

  /** Takes back everything since the mark. */
  void undoTo(int mark, Instant now) {
    while (undo.size() > mark) {
      Before before = undo.pop();
      replace(before.id(), before.job(), now);
      parents.notEnded(before.id());
    }
  }

  /** What has been put is committed and will not be undone. */
  void settle() {
    undo.clear();
    timers.settle();
    parents.settle();
  }

  private void replace(JobId id, @Nullable Job job, Instant now) {
    long more = waitingTasks(job);
    Job old = job == null ? jobs.remove(id) : jobs.put(id, job);
    // At once: whatever breaks off after this is made good by putting back what was there.
    waitingTasks += more - waitingTasks(old);
    holdings(old, job);
    parents.change(old, job);
    if (job == null) {
      book.remove(id);
      return;
    }
    enqueue(job, now);
  }

  /** The tasks of an array start and end one by one: the others hold what they held. */
  private void holdings(@Nullable Job old, @Nullable Job job) {
    boolean sameTerms = old != null && job != null && old.spec().equals(job.spec());
    if (old != null) {
      changed(old.live(), sameTerms ? job.live() : new TreeMap<>())
          .forEach((offset, _) -> holdings.remove(old.task(offset)));
    }
    if (job != null) {
      changed(job.live(), sameTerms ? old.live() : new TreeMap<>())
          .forEach((offset, state) -> hold(job, offset, state));
    }
  }

  /** Those that are not there, or not in the same state. */
  private static SortedMap<Integer, TaskState> changed(
      SortedMap<Integer, TaskState> live, SortedMap<Integer, TaskState> there) {
    var changed = new TreeMap<>(live);
    changed.entrySet().removeAll(there.entrySet());
    return changed;
  }

  private static long waitingTasks(@Nullable Job job) {
    return job == null ? 0 : job.waiting().size() + job.held().size();
  }

  /** Looks whether the job may stand in the book now, and when to look again if not. */
  void enqueue(Job job, Instant now) {
    Optional<Instant> begin =
        job.spec()
            .terms()
            .begin()
            .filter(at -> at.isAfter(now))
            .or(() -> setbacks.until(job.id(), now));
    if (begin.isPresent()) {
      timers.set(begin.get(), Timers.Kind.LOOK_AGAIN, job.task(0));
      book.remove(job.id());
      return;
    }
    job.tries().nextAwake(now).ifPresent(at -> timers.set(at, Timers.Kind.LOOK_AGAIN, job.task(0)));
    if (job.startable(now) == 0 || !parents.met(job, now, timers)) {
      book.remove(job.id());
    } else {
      book.put(candidate(job, now));
    }
  }

  public static Candidate candidate(Job job, Instant now) {
    JobSpec spec = job.spec();
    return new Candidate(
        job.id(),
        spec.owner(),
        spec.terms().priority(),
        job.submittedAt(),
        job.request(now),
        spec.terms().timeLimit(),
        spec.project(),
        Math.max(1, job.startable(now)));
  }

  private void hold(Job job, int offset, TaskState state) {
    TaskId task = job.task(offset);
    switch (state) {
      case TaskState.Pending p -> {}
      case TaskState.Ended e -> {}
      case TaskState.Starting(Attempt attempt) when attempt.where() instanceof Where.There ->
          holdings.put(task, holding(job, task, attempt, Optional.empty()));
      case TaskState.Starting s -> running(job, task, s.attempt());
      case TaskState.Queued(Attempt attempt) ->
          holdings.put(task, holding(job, task, attempt, Optional.empty()));
      case TaskState.Running r -> running(job, task, r.attempt());
      case TaskState.Completing c -> {
        timers.set(c.killAt(), Timers.Kind.KILL, task);
        holdings.put(task, holding(job, task, c.attempt(), Optional.of(c.killAt())));
      }
    }
  }

  private void running(Job job, TaskId task, Attempt attempt) {
    Optional<Instant> end = deadline(job, attempt);
    end.ifPresent(at -> timers.set(at, Timers.Kind.TIME_LIMIT, task));
    signalAt(job, attempt).ifPresent(at -> timers.set(at, Timers.Kind.SIGNAL, task));
    holdings.put(task, holding(job, task, attempt, end));
  }

  static Optional<Instant> deadline(Job job, Attempt attempt) {
    return job.spec().terms().timeLimit().map(limit -> attempt.startedAt().plus(limit));
  }

  /** When it is due for the signal that it wanted before its time is up. */
  static Optional<Instant> signalAt(Job job, Attempt attempt) {
    return job.spec()
        .asked()
        .signal()
        .flatMap(signal -> deadline(job, attempt).map(end -> end.minus(signal.before())));
  }

  private static Holding holding(Job job, TaskId task, Attempt attempt, Optional<Instant> end) {
    return new Holding(
        task,
        job.spec().owner(),
        job.spec().project(),
        attempt.allocation(),
        attempt.startedAt(),
        end);
  }

  /** The jobs whose dependencies may have changed because these ended or started. */
  List<Job> touched() {
    var touched = new ArrayList<Job>();
    for (JobId id : parents.takeTouched()) {
      job(id).ifPresent(touched::add);
    }
    return touched;
  }
}
