package gflow.store;

import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.BlobId;
import gflow.job.GpuId;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.Loan;
import gflow.job.Outcome;
import gflow.job.Step;
import gflow.job.StepId;
import gflow.job.TaskState;
import gflow.job.TaskState.Completing;
import gflow.job.TaskState.Starting;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The store of the simulation: what is committed lies on a {@link Disk} that outlives it. {@link
 * #crash} is the daemon's death: this object is dead, and the next one finds what was committed.
 */
public final class MemoryStore implements Store {
  private final Disk disk;
  private boolean dead;

  /** An attempt and what became of it. */
  record Row(Attempt attempt, Optional<Ending> ending, Optional<Outcome> outcome) {
    Row later(Duration by) {
      var order = ending.map(e -> new Ending(e.cause(), e.killAt().plus(by)));
      return new Row(attempt.later(by), order, outcome);
    }
  }

  record Ending(TaskState.Cause cause, Instant killAt) {}

  record Answer(String text, Instant at) {}

  /** What survives a crash. */
  public static final class Disk {
    static final Comparator<AttemptId> ORDER =
        Comparator.comparing(AttemptId::task).thenComparingInt(AttemptId::number);

    final NavigableMap<String, byte[]> blobs = new TreeMap<>();
    final NavigableMap<JobId, Job> jobs = new TreeMap<>();
    final NavigableMap<JobId, Instant> ends = new TreeMap<>();
    final NavigableMap<AttemptId, Row> attempts = new TreeMap<>(ORDER);
    final NavigableMap<StepId, History.PastStep> steps = new TreeMap<>();
    final NavigableMap<AttemptId, List<Loan>> loans = new TreeMap<>(ORDER);
    final NavigableMap<AttemptId, Change.GpusSeen> gpus = new TreeMap<>(ORDER);
    final NavigableMap<AttemptId, Duration> lent = new TreeMap<>(ORDER);
    final NavigableMap<String, String> settings = new TreeMap<>();
    final NavigableMap<String, Answer> answers = new TreeMap<>();
    private final Deque<Runnable> undo = new ArrayDeque<>();
    private long nextId = 1;
    private boolean full;
    boolean unreadable;

    /** While it is full, every commit fails. */
    public void full(boolean now) {
      full = now;
    }

    /** Then what is over cannot be looked up. */
    public void unreadable(boolean now) {
      unreadable = now;
    }

    private <K, V> void put(Map<K, V> map, K key, V value) {
      V before = map.put(key, value);
      undo.push(() -> restore(map, key, before));
    }

    private <K, V> void remove(Map<K, V> map, K key) {
      V before = map.remove(key);
      undo.push(() -> restore(map, key, before));
    }

    private static <K, V> void restore(Map<K, V> map, K key, V before) {
      if (before == null) {
        map.remove(key);
      } else {
        map.put(key, before);
      }
    }

    private void undoAll() {
      while (!undo.isEmpty()) {
        undo.pop().run();
      }
    }

    /** Its live tasks are the attempts without an end. */
    Job whole(Job job) {
      var live = new TreeMap<Integer, TaskState>();
      of(job)
          .forEach(
              (id, row) -> {
                if (row.outcome().isEmpty()) {
                  live.put(id.task().offset(), state(row));
                }
              });
      return job.withLive(live);
    }

    SortedMap<AttemptId, Row> of(Job job) {
      return attempts.subMap(
          new AttemptId(job.task(0), 1),
          true,
          new AttemptId(job.task(Integer.MAX_VALUE), Integer.MAX_VALUE),
          true);
    }

    private static TaskState state(Row row) {
      return row.ending()
          .<TaskState>map(
              e -> new Completing(row.attempt(), e.cause(), Optional.empty(), e.killAt()))
          .orElseGet(() -> new Starting(row.attempt()));
    }
  }

  public MemoryStore() {
    this(new Disk());
  }

  public MemoryStore(Disk disk) {
    this.disk = disk;
  }

  public Disk disk() {
    return disk;
  }

  /** What the next daemon opens; nothing can be done with this one any more. */
  public MemoryStore crash() {
    dead = true;
    return new MemoryStore(disk);
  }

  private void alive() {
    if (dead) {
      throw new IllegalStateException("this store is closed");
    }
  }

  @Override
  public synchronized void commit(List<Change> changes) throws StoreException {
    alive();
    if (disk.full && !changes.isEmpty()) {
      throw new StoreException("the disk is full: memory cannot grow");
    }
    long nextId = disk.nextId;
    disk.undo.clear();
    try {
      changes.forEach(this::apply);
      changes.forEach(this::checkBlobs);
    } catch (RuntimeException e) {
      disk.undoAll();
      disk.nextId = nextId;
      throw e;
    }
  }

  private void apply(Change change) {
    switch (change) {
      case Change.PutBlob(BlobId id, byte[] content) -> {
        if (!disk.blobs.containsKey(id.sha256())) {
          disk.put(disk.blobs, id.sha256(), content.clone());
        }
      }
      case Change.Submit(Job job) -> submit(job);
      case Change.Progress(Job job) -> progress(job, job(job.id()).spec());
      case Change.Respec(Job job) ->
          disk.put(disk.jobs, job.id(), job(job.id()).withSpec(job.spec()));
      case Change.AttemptStarted(AttemptId id, Attempt attempt) -> {
        check(!disk.attempts.containsKey(id), "attempt " + id + " was started before");
        disk.put(disk.attempts, id, new Row(attempt, Optional.empty(), Optional.empty()));
      }
      case Change.AttemptMoved(AttemptId id, Attempt attempt) ->
          disk.put(disk.attempts, id, new Row(attempt, live(id).ending(), Optional.empty()));
      case Change.AttemptEnding(AttemptId id, var cause, Instant killAt) -> {
        var ending = Optional.of(new Ending(cause, killAt));
        disk.put(disk.attempts, id, new Row(live(id).attempt(), ending, Optional.empty()));
      }
      case Change.AttemptEnded(AttemptId id, Attempt attempt, Outcome outcome) -> {
        Row row = live(id);
        Outcome known = withGpus(outcome, disk.gpus.get(id));
        disk.put(disk.attempts, id, new Row(row.attempt(), row.ending(), Optional.of(known)));
        ended(job(id.task().job()), outcome.endedAt());
      }
      case Change.AttemptUndone(AttemptId id) -> {
        live(id);
        disk.remove(disk.attempts, id);
        disk.remove(disk.gpus, id);
      }
      case Change.GpusSeen seen -> {
        live(seen.id());
        disk.put(disk.gpus, seen.id(), seen);
      }
      case Change.StepStarted(Step step) -> {
        check(!disk.steps.containsKey(step.id()), "step " + step.id() + " was started before");
        disk.put(disk.steps, step.id(), new History.PastStep(step, Optional.empty()));
      }
      case Change.StepEnding(StepId id, Step.Ending ending) -> {
        var past = disk.steps.get(id);
        check(past != null && past.end().isEmpty(), "not in the store: step " + id);
        var changed = new History.PastStep(past.step().withEnding(ending), Optional.empty());
        disk.put(disk.steps, id, changed);
      }
      case Change.StepEnded(StepId id, Step.End end) -> {
        var past = disk.steps.get(id);
        check(past != null && past.end().isEmpty(), "not in the store: step " + id);
        disk.put(disk.steps, id, new History.PastStep(past.step(), Optional.of(end)));
      }
      case Change.Lent(AttemptId id, Loan loan) -> {
        live(id);
        boolean free =
            disk.loans.values().stream()
                .flatMap(List::stream)
                .noneMatch(l -> l.grant().gpu().equals(loan.grant().gpu()));
        check(free, "lent before: " + loan);
        var loans = new ArrayList<>(disk.loans.getOrDefault(id, List.of()));
        loans.add(loan);
        disk.put(disk.loans, id, List.copyOf(loans));
      }
      case Change.GivenBack(AttemptId id, GpuId gpu, Instant at) -> giveBack(id, gpu, at);
      case Change.ClockSet(Duration by) -> clockSet(by);
      case Change.Setting(String key, String value) -> setting(key, value);
      case Change.Answered(String key, String text, Instant at) -> {
        check(!disk.answers.containsKey(key), "answered before: " + key);
        disk.put(disk.answers, key, new Answer(text, at));
      }
    }
  }

  /** What was kept before the end stays, if that says nothing of it. */
  private static Outcome withGpus(Outcome outcome, Change.@Nullable GpusSeen seen) {
    return seen == null || outcome.usage().gpu().isPresent()
        ? outcome
        : new Outcome(
            outcome.state(),
            outcome.exit(),
            outcome.usage().with(Optional.of(seen.use())),
            outcome.endedAt(),
            outcome.note(),
            outcome.told());
  }

  private void clockSet(Duration by) {
    List.copyOf(disk.attempts.entrySet()).stream()
        .filter(e -> e.getValue().outcome().isEmpty())
        .forEach(e -> disk.put(disk.attempts, e.getKey(), e.getValue().later(by)));
    List.copyOf(disk.steps.values()).stream()
        .filter(past -> past.end().isEmpty())
        .map(past -> new History.PastStep(past.step().later(by), past.end()))
        .forEach(past -> disk.put(disk.steps, past.step().id(), past));
    List.copyOf(disk.loans.entrySet())
        .forEach(
            e ->
                disk.put(
                    disk.loans,
                    e.getKey(),
                    e.getValue().stream().map(loan -> loan.later(by)).toList()));
  }

  private void giveBack(AttemptId id, GpuId gpu, Instant at) {
    live(id);
    var loans = new ArrayList<>(disk.loans.getOrDefault(id, List.of()));
    var loan = loans.stream().filter(l -> l.grant().gpu().equals(gpu)).findFirst();
    check(loan.isPresent(), "not in the store: loan of " + gpu + " to " + id);
    loans.remove(loan.get());
    disk.put(disk.loans, id, List.copyOf(loans));
    Duration time = Duration.between(loan.get().takenAt(), at);
    Duration before = disk.lent.getOrDefault(id, Duration.ZERO);
    disk.put(disk.lent, id, time.isNegative() ? before : before.plus(time));
  }

  private void submit(Job job) {
    check(job.id().value() >= disk.nextId, "number " + job.id() + " was given out before");
    disk.nextId = job.numbers().end();
    disk.put(disk.ends, job.id(), job.submittedAt());
    disk.put(disk.jobs, job.id(), withoutLive(job));
    if (!job.dropped().tasks().isEmpty()) {
      ended(job, job.dropped().at());
    }
  }

  private void progress(Job job, gflow.job.JobSpec spec) {
    disk.put(disk.jobs, job.id(), withoutLive(job.withSpec(spec)));
    if (!job.dropped().tasks().isEmpty()) {
      ended(job, job.dropped().at());
    }
  }

  private void ended(Job job, Instant at) {
    Instant before = disk.ends.get(job.id());
    disk.put(disk.ends, job.id(), before.isAfter(at) ? before : at);
  }

  private void setting(String key, String value) {
    if (value.isEmpty()) {
      disk.remove(disk.settings, key);
    } else {
      disk.put(disk.settings, key, value);
    }
  }

  private void checkBlobs(Change change) {
    if (change instanceof Change.Submit(Job job)) {
      BlobCounts.of(job.spec())
          .forEach(b -> check(disk.blobs.containsKey(b.sha256()), "not in the store: " + b));
    }
  }

  private Job job(JobId id) {
    check(disk.jobs.containsKey(id), "not in the store: job " + id);
    return disk.jobs.get(id);
  }

  private Row live(AttemptId id) {
    Row row = disk.attempts.get(id);
    check(row != null && row.outcome().isEmpty(), "not in the store: attempt " + id);
    return row;
  }

  private static Job withoutLive(Job job) {
    return job.withLive(Collections.emptySortedMap());
  }

  private static void check(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }

  @Override
  public synchronized Loaded load() {
    alive();
    List<Job> jobs =
        disk.jobs.values().stream().map(disk::whole).filter(job -> !job.over()).toList();
    List<Change.GpusSeen> gpus =
        disk.gpus.values().stream()
            .filter(seen -> disk.attempts.get(seen.id()).outcome().isEmpty())
            .toList();
    return new Loaded(
        jobs, new TreeMap<>(disk.settings), disk.nextId, liveSteps(), liveLoans(), gpus);
  }

  private List<LiveLoans> liveLoans() {
    var all = new ArrayList<LiveLoans>();
    disk.attempts.forEach(
        (id, row) -> {
          List<Loan> loans = disk.loans.getOrDefault(id, List.of());
          Duration before = disk.lent.getOrDefault(id, Duration.ZERO);
          if (row.outcome().isEmpty() && !(loans.isEmpty() && before.isZero())) {
            all.add(new LiveLoans(id, before, loans));
          }
        });
    return all;
  }

  private List<LiveSteps> liveSteps() {
    var all = new ArrayList<LiveSteps>();
    disk.attempts.forEach(
        (id, row) -> {
          var steps =
              disk.steps.values().stream().filter(s -> s.step().id().attempt().equals(id)).toList();
          if (row.outcome().isEmpty() && !steps.isEmpty()) {
            var running = steps.stream().filter(s -> s.end().isEmpty()).map(s -> s.step()).toList();
            all.add(new LiveSteps(id, steps.getLast().step().id().number() + 1, running));
          }
        });
    return all;
  }

  @Override
  public synchronized Pruned prune(Instant endedBefore) {
    alive();
    var old = new ArrayList<Job>();
    for (Job job : disk.jobs.values()) {
      if (disk.whole(job).over() && disk.ends.get(job.id()).isBefore(endedBefore)) {
        old.add(job);
      }
    }
    for (Job job : old) {
      disk.of(job).clear();
      disk.steps.keySet().removeIf(id -> id.attempt().task().job().equals(job.id()));
      disk.loans.keySet().removeIf(id -> id.task().job().equals(job.id()));
      disk.lent.keySet().removeIf(id -> id.task().job().equals(job.id()));
      disk.gpus.keySet().removeIf(id -> id.task().job().equals(job.id()));
      disk.jobs.remove(job.id());
      disk.ends.remove(job.id());
    }
    var used =
        disk.jobs.values().stream().flatMap(job -> BlobCounts.of(job.spec()).stream()).toList();
    disk.blobs.keySet().removeIf(hash -> !used.contains(new BlobId(hash)));
    disk.answers.values().stream()
        .map(Answer::at)
        .max(Comparator.naturalOrder())
        .map(newest -> newest.minus(Pruning.ANSWERS_KEPT))
        .ifPresent(limit -> disk.answers.values().removeIf(a -> a.at().isBefore(limit)));
    return new Pruned(old.size(), false);
  }

  @Override
  public synchronized SortedMap<String, String> settings() {
    return new TreeMap<>(disk.settings);
  }

  @Override
  public synchronized History history() {
    return new MemoryHistory(disk);
  }

  @Override
  public synchronized Optional<byte[]> blob(BlobId id) {
    return Optional.ofNullable(disk.blobs.get(id.sha256())).map(byte[]::clone);
  }

  @Override
  public synchronized Optional<String> answered(String key) {
    return Optional.ofNullable(disk.answers.get(key)).map(Answer::text);
  }

  @Override
  public void close() {
    dead = true;
  }
}
