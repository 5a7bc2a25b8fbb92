package gflow.store;

import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.GpuCurve;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobState;
import gflow.job.Outcome;
import gflow.job.Ranges;
import gflow.job.TaskId;
import gflow.store.MemoryStore.Row;
import gflow.store.Store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** The same answers, by looking at everything. */
record MemoryHistory(MemoryStore.Disk disk) implements History {
  @Override
  public Optional<Job> job(JobId number) throws StoreException {
    if (disk.unreadable) {
      throw new StoreException("memory cannot be read");
    }
    return Optional.ofNullable(disk.jobs.floorEntry(number))
        .map(e -> disk.whole(e.getValue()))
        .filter(job -> job.numbers().owns(number));
  }

  @Override
  public List<Known> known(Collection<JobId> numbers) throws StoreException {
    var known = new ArrayList<Known>();
    for (JobId number : numbers.stream().sorted().toList()) {
      job(number).map(Known::of).filter(job -> !known.contains(job)).ifPresent(known::add);
    }
    return known;
  }

  @Override
  public void ended(Query query, Reader reader) {
    var found = new ArrayList<Ended>();
    for (Job stored : disk.jobs.values()) {
      Job job = disk.whole(stored);
      ended(job, query).stream().filter(task -> fits(task, query)).forEach(found::add);
    }
    found.sort(EndedSearch.NEWEST_FIRST);
    found.stream().limit(query.limit()).takeWhile(reader::take).forEach(row -> {});
  }

  @Override
  public long count(Query query) {
    var all = new ArrayList<Ended>();
    ended(unlimited(query), all::add);
    return all.size();
  }

  private static Query unlimited(Query q) {
    return new Query(
        q.numbers(),
        q.states(),
        q.users(),
        q.names(),
        q.project(),
        q.endedSince(),
        Integer.MAX_VALUE);
  }

  private List<Ended> ended(Job job, Query query) {
    var last = new TreeMap<Integer, Row>();
    var lent = new TreeMap<Integer, Duration>();
    disk.of(job)
        .forEach(
            (id, row) -> {
              last.put(id.task().offset(), row);
              lent.put(id.task().offset(), disk.lent.getOrDefault(id, Duration.ZERO));
            });
    var tasks = new ArrayList<Ended>();
    last.forEach(
        (offset, row) -> {
          if (row.outcome().isPresent() && !waits(job, offset)) {
            var outcome = row.outcome().get();
            tasks.add(Ended.task(job, offset, row.attempt(), outcome, lent.get(offset)));
          }
        });
    Ranges dropped =
        Ranges.ofAll(
            job.dropped().tasks().stream().filter(k -> named(query, job, k)).boxed().toList());
    if (!dropped.isEmpty()) {
      tasks.add(Ended.dropped(job, dropped));
    }
    return tasks;
  }

  private static boolean waits(Job job, int offset) {
    return job.waiting().union(job.held()).union(job.dropped().tasks()).contains(offset);
  }

  private static boolean fits(Ended task, Query query) {
    var spec = task.job().spec();
    return named(query, task.job(), task.offsets().first())
        && (query.states().isEmpty() || query.states().contains(task.outcome().state()))
        && (query.users().isEmpty() || query.users().contains(spec.owner().name()))
        && (query.names().isEmpty() || query.names().contains(spec.name()))
        && (query.project().isEmpty() || query.project().equals(spec.project()))
        && query.endedSince().stream().noneMatch(t -> task.outcome().endedAt().isBefore(t));
  }

  private static boolean named(Query query, Job job, int offset) {
    return query.numbers().isEmpty()
        || query.numbers().stream().anyMatch(number -> names(number, job, offset));
  }

  private static boolean names(JobId number, Job job, int offset) {
    return number.equals(job.id()) || number.equals(job.task(offset).number());
  }

  @Override
  public List<PastAttempt> attempts(JobId number) {
    return disk.attempts.entrySet().stream()
        .filter(e -> e.getKey().task().number().equals(number))
        .flatMap(
            e ->
                e.getValue().outcome().stream()
                    .map(outcome -> new PastAttempt(e.getValue().attempt(), outcome)))
        .toList();
  }

  @Override
  public Optional<GpuCurve> gpuCurve(AttemptId id) {
    return Optional.ofNullable(disk.gpus.get(id)).map(Change.GpusSeen::curve);
  }

  @Override
  public List<PastStep> steps(TaskId task) {
    return disk.steps.values().stream()
        .filter(s -> s.step().id().attempt().task().equals(task))
        .toList();
  }

  @Override
  public List<TaskId> stepped(Job job, int limit) {
    return disk.steps.values().stream()
        .map(s -> s.step().id().attempt().task())
        .filter(task -> task.job().equals(job.id()))
        .distinct()
        .sorted()
        .limit(limit)
        .toList();
  }

  @Override
  public Optional<JobId> lastJob(int uid) {
    return disk.jobs.descendingMap().values().stream()
        .filter(job -> job.spec().owner().uid() == uid)
        .map(Job::id)
        .findFirst();
  }

  @Override
  public Stats stats(StatsQuery query) {
    var sums = new Sums();
    for (Job job : disk.jobs.values()) {
      boolean fits =
          query.user().stream().allMatch(job.spec().owner().name()::equals)
              && (query.project().isEmpty() || query.project().equals(job.spec().project()));
      if (fits) {
        sum(job, query.since(), sums);
      }
    }
    return sums.stats();
  }

  private void sum(Job job, Optional<Instant> since, Sums sums) {
    int dropped = job.dropped().tasks().size();
    if (dropped > 0 && since.stream().noneMatch(job.dropped().at()::isBefore)) {
      sums.count(job, JobState.CANCELLED, dropped, 0, 0);
    }
    var seen = new HashSet<TaskId>();
    for (var entry : disk.of(job).entrySet()) {
      boolean first = seen.add(entry.getKey().task());
      entry
          .getValue()
          .outcome()
          .filter(outcome -> since.stream().noneMatch(outcome.endedAt()::isBefore))
          .ifPresent(o -> sums.add(job, entry.getValue().attempt(), o, first));
      Duration lent = disk.lent.getOrDefault(entry.getKey(), Duration.ZERO);
      boolean counts = entry.getValue().outcome().isPresent();
      sums.lent(job, counts ? lent : Duration.ZERO);
    }
  }

  private static final class Sums {
    final TreeMap<JobState, Long> states = new TreeMap<>();
    final TreeMap<String, UserSum> users = new TreeMap<>();
    final List<Double> waits = new ArrayList<>();
    final List<Double> runs = new ArrayList<>();

    private double used;
    private double watched;

    void add(Job job, Attempt attempt, Outcome outcome, boolean first) {
      double run = seconds(attempt.startedAt(), outcome.endedAt());
      double shares = attempt.allocation().gpus().stream().mapToDouble(g -> g.part().value()).sum();
      double cpu = outcome.usage().cpuTime().map(d -> d.toNanos() / 1e9).orElse(0.0);
      count(job, outcome.state(), 1, shares * run, cpu);
      runs.add(run);
      outcome
          .usage()
          .gpu()
          .filter(use -> use.meanUse().isPresent())
          .ifPresent(
              use -> {
                used += use.meanUse().getAsInt() * shares * run;
                watched += shares * run;
              });
      if (first) {
        waits.add(seconds(job.submittedAt(), attempt.startedAt()));
      }
    }

    void lent(Job job, Duration time) {
      users.computeIfPresent(
          job.spec().owner().name(),
          (user, old) ->
              new UserSum(
                  user, old.count(), old.gpuSeconds() + time.toNanos() / 1e9, old.cpuSeconds()));
    }

    void count(Job job, JobState state, long count, double gpuSeconds, double cpuSeconds) {
      String user = job.spec().owner().name();
      states.merge(state, count, Long::sum);
      UserSum old = users.getOrDefault(user, new UserSum(user, 0, 0, 0));
      users.put(
          user,
          new UserSum(
              user,
              old.count() + count,
              old.gpuSeconds() + gpuSeconds,
              old.cpuSeconds() + cpuSeconds));
    }

    Stats stats() {
      return new Stats(
          states.entrySet().stream().map(e -> new StateCount(e.getKey(), e.getValue())).toList(),
          users.values().stream().mapToDouble(UserSum::gpuSeconds).sum(),
          users.values().stream().mapToDouble(UserSum::cpuSeconds).sum(),
          waits.stream().mapToDouble(d -> d).average().orElse(0),
          runs.stream().mapToDouble(d -> d).average().orElse(0),
          watched == 0 ? OptionalDouble.empty() : OptionalDouble.of(used / watched),
          List.copyOf(users.values()));
    }

    private static double seconds(Instant from, Instant to) {
      return Duration.between(from, to).toNanos() / 1e9;
    }
  }
}
