package gflow.daemon.service;

import gflow.api.Gflow.JobList;
import gflow.api.Gflow.JobQuery;
import gflow.api.Gflow.LogPlace;
import gflow.api.JobView;
import gflow.api.StatsView;
import gflow.daemon.core.Core;
import gflow.daemon.core.JobFinder.Target;
import gflow.daemon.core.Refusal;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.JobState;
import gflow.job.Owner;
import gflow.job.Ranges;
import gflow.job.TaskId;
import gflow.store.History;
import gflow.store.History.Ended;
import gflow.store.Store.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Answers questions, from the queue and from the history. */
public record Querying(ServiceContext context, LogFiles logs, AnswerLimits room) {
  private static final Set<JobState> NOT_WELL =
      EnumSet.of(
          JobState.FAILED,
          JobState.CANCELLED,
          JobState.TIMEOUT,
          JobState.OUT_OF_MEMORY,
          JobState.NODE_FAIL);

  public JobList jobs(JobQuery query, Owner caller) throws Refusal {
    Set<JobState> states = states(query);
    List<Target> named = context.finder().all(query.jobs(), caller);
    var all = new ArrayList<JobView>();
    long total = query.jobs().isEmpty() ? unfinished(query, states, all) : 0;
    for (int i = 0; i < named.size(); i += QueueListing.SLICE) {
      List<Target> some = named.subList(i, Math.min(i + QueueListing.SLICE, named.size()));
      add(all, context.loop().look(core -> listing(core).rows(some, query, states)));
    }
    total += query.jobs().isEmpty() ? 0 : all.size();
    if (states.stream().anyMatch(JobState::over)) {
      History.Query past = past(query, states, named);
      List<JobView> ended = ended(past, named);
      all.addAll(ended);
      total +=
          ended.size() < past.limit() ? ended.size() : Refusal.stored(() -> history().count(past));
      if (query.limit() <= 0 || query.limit() > room.most()) {
        room.check(all.size(), all.size());
      }
      all.sort(Comparator.comparingLong(JobView::jobId));
    }
    int limit = query.limit() > 0 ? Math.min(query.limit(), all.size()) : all.size();
    return new JobList(List.copyOf(all.subList(0, limit)), total);
  }

  /** Adds those that fit, as many as were asked for; returns how many there are in all. */
  private long unfinished(JobQuery query, Set<JobState> states, List<JobView> all) throws Refusal {
    int limit = query.limit() > 0 ? query.limit() : Integer.MAX_VALUE;
    long total = 0;
    for (var next = Optional.of(new JobId(1)); next.isPresent(); ) {
      JobId from = next.get();
      int most = Math.clamp(limit - all.size(), 0, QueueListing.SLICE);
      QueueListing.Rows rows =
          context.loop().look(core -> listing(core).rows(query, states, from, most));
      add(all, rows);
      total += rows.total();
      next = rows.next();
    }
    return total;
  }

  private void add(List<JobView> all, QueueListing.Rows rows) throws Refusal {
    int before = all.size();
    all.addAll(rows.rows());
    room.check(before, all);
  }

  private History history() {
    return context.store().history();
  }

  private QueueListing listing(Core core) {
    return new QueueListing(core, context.views(), context.now());
  }

  private static Set<JobState> states(JobQuery query) {
    if (!query.states().isEmpty()) {
      return query.states();
    }
    // Whoever names a job wants to see it, over or not.
    return query.jobs().isEmpty()
        ? EnumSet.of(JobState.PENDING, JobState.RUNNING, JobState.COMPLETING)
        : EnumSet.allOf(JobState.class);
  }

  private static History.Query past(JobQuery query, Set<JobState> states, List<Target> targets) {
    var over = EnumSet.noneOf(JobState.class);
    states.stream().filter(JobState::over).forEach(over::add);
    int limit = query.limit() > 0 ? query.limit() : Integer.MAX_VALUE;
    return new History.Query(
        targets.stream().map(Target::number).toList(),
        over,
        query.users(),
        query.names(),
        query.project(),
        query.endedSince(),
        limit);
  }

  private List<JobView> ended(History.Query past, List<Target> targets) throws Refusal {
    SortedMap<JobId, Ranges> meant = meant(targets);
    var all = new ArrayList<JobView>();
    var tooMany = new ArrayList<Refusal>();
    try {
      context
          .store()
          .history()
          .ended(
              past,
              row -> {
                int before = all.size();
                wanted(meant, row).map(context.views()::ended).ifPresent(all::add);
                try {
                  room.check(before, all);
                } catch (Refusal refusal) {
                  tooMany.add(refusal);
                }
                return tooMany.isEmpty();
              });
    } catch (StoreException e) {
      throw new Refusal(String.valueOf(e.getMessage()));
    }
    if (!tooMany.isEmpty()) {
      throw tooMany.getFirst();
    }
    return all;
  }

  /** The rows of tasks that are over, by their own numbers; of others none. */
  List<JobView> ended(List<JobId> tasks) throws Refusal {
    var over = EnumSet.noneOf(JobState.class);
    Arrays.stream(JobState.values()).filter(JobState::over).forEach(over::add);
    var query =
        new History.Query(
            tasks, over, List.of(), List.of(), Optional.empty(), Optional.empty(), room.most());
    return ended(query, List.of());
  }

  private static SortedMap<JobId, Ranges> meant(List<Target> targets) {
    var parts = new TreeMap<JobId, List<Ranges.Range>>();
    for (Target target : targets) {
      parts
          .computeIfAbsent(target.job(), job -> new ArrayList<>())
          .addAll(target.offsets().parts());
    }
    var meant = new TreeMap<JobId, Ranges>();
    parts.forEach((job, offsets) -> meant.put(job, Ranges.merged(offsets)));
    return meant;
  }

  /** Of what was found, the tasks that are meant. */
  private static Optional<Ended> wanted(SortedMap<JobId, Ranges> meant, Ended row) {
    if (meant.isEmpty()) {
      return Optional.of(row);
    }
    Ranges tasks = row.offsets().intersect(meant.getOrDefault(row.job().id(), Ranges.EMPTY));
    return tasks.isEmpty()
        ? Optional.empty()
        : Optional.of(new Ended(row.job(), tasks, row.attempt(), row.outcome(), row.lent()));
  }

  List<JobView> show(JobRef ref, Owner caller) throws Refusal {
    var rows = new ArrayList<JobView>();
    for (JobView row : jobs(of(ref, Set.of(), 0), caller).jobs()) {
      rows.add(row.arrayTasks() == null ? context.views().withAttempts(row, past(row)) : row);
    }
    return rows;
  }

  /** An array may have thousands of tasks; only those that were tried before are looked up. */
  private List<History.PastAttempt> past(JobView row) throws Refusal {
    if (row.attempt() == 1) {
      return List.of();
    }
    return Refusal.stored(() -> history().attempts(new JobId(row.jobId())));
  }

  LogPlace log(JobRef ref, Owner caller) throws Refusal {
    Target target = context.finder().find(ref, caller);
    int offset = target.offsets().first();
    Job job = context.finder().whole(target);
    boolean over =
        context
            .loop()
            .look(core -> core.ledger().job(job.id()).map(j -> ended(j, offset)).orElse(true));
    String path =
        logs.out(job, offset)
            .map(Object::toString)
            .orElseThrow(() -> new Refusal("job " + ref + " was told to keep no output"));
    // Whoever names a whole array gets the log of one task, and is told so.
    Optional<String> oneOf =
        target.offsets().size() == 1
            ? Optional.empty()
            : job.spec().tasks().array().map(Ranges::toString);
    return new LogPlace(
        path, logs.err(job, offset).map(Object::toString), over, oneOf, logs.roles(job, offset));
  }

  static boolean ended(Job job, int offset) {
    return !job.waiting().contains(offset)
        && !job.held().contains(offset)
        && !job.live().containsKey(offset);
  }

  /** The tasks that are meant and have steps. */
  List<TaskId> stepped(JobRef ref, Owner caller) throws Refusal {
    Target target = context.finder().find(ref, caller);
    if (target.offsets().size() == 1) {
      return List.of(target.first());
    }
    Job job = context.finder().whole(target);
    return Refusal.stored(() -> history().stepped(job, room.most()));
  }

  /** Blocks until every task that is meant is over. */
  List<JobView> await(JobRef ref, Owner caller, Waiters waiters) throws Refusal {
    Target target = context.finder().find(ref, caller);
    waiters.await(
        core ->
            core.ledger()
                .job(target.job())
                .map(job -> allEnded(job, target.offsets()))
                .orElse(true));
    return ends(target.ref(), target, caller);
  }

  /** Whoever waits for more than fits wants to know whether, and how, some did not end well. */
  private List<JobView> ends(JobRef ref, Target target, Owner caller) throws Refusal {
    if (target.offsets().size() <= room.most()) {
      return show(ref, caller);
    }
    List<JobView> bad = jobs(of(ref, NOT_WELL, room.most()), caller).jobs();
    return bad.isEmpty() ? jobs(of(ref, Set.of(JobState.COMPLETED), 1), caller).jobs() : bad;
  }

  private static JobQuery of(JobRef ref, Set<JobState> states, int limit) {
    return new JobQuery(List.of(ref), states, List.of(), List.of(), Optional.empty(), limit);
  }

  /** Whether an answer may grow so. */
  void check(int before, int rows) throws Refusal {
    room.check(before, rows);
  }

  static boolean allEnded(Job job, Ranges offsets) {
    return !job.waiting().meets(offsets)
        && !job.held().meets(offsets)
        && job.live().keySet().stream().noneMatch(offsets::contains);
  }

  StatsView stats(Optional<String> user, Optional<String> project, Optional<Instant> since)
      throws Refusal {
    History.Stats stats =
        Refusal.stored(() -> history().stats(new History.StatsQuery(user, project, since)));
    return new StatsView(
        stats.byState().stream()
            .map(s -> new StatsView.StateCount(s.state().name(), s.count()))
            .toList(),
        stats.gpuSeconds(),
        stats.cpuSeconds(),
        stats.meanWait(),
        stats.meanRun(),
        stats.meanGpuUse().isPresent() ? (Double) stats.meanGpuUse().getAsDouble() : null,
        stats.byUser().stream()
            .map(u -> new StatsView.UserSum(u.user(), u.count(), u.gpuSeconds(), u.cpuSeconds()))
            .toList());
  }
}
