package gflow.daemon;

import gflow.api.Gflow.JobList;
import gflow.api.Gflow.JobQuery;
import gflow.api.Gflow.LogPlace;
import gflow.api.JobView;
import gflow.api.StatsView;
import gflow.daemon.Listing.Target;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.JobState;
import gflow.job.Owner;
import gflow.job.Ranges;
import gflow.job.TaskId;
import gflow.store.History;
import gflow.store.Store.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Answers questions, from the queue and from the history. */
final class Reading {
  private static final int MOST_ROWS = 1_000_000;

  private final Desk desk;
  private final LogFiles logs;

  Reading(Desk desk, LogFiles logs) {
    this.desk = desk;
    this.logs = logs;
  }

  JobList jobs(JobQuery query, Owner caller) throws Refusal {
    Set<JobState> states = states(query);
    Instant now = desk.now();
    var found = new ArrayList<Target>();
    Listing.Rows rows =
        lookWith(
            core -> {
              for (JobRef ref : query.jobs()) {
                found.add(desk.finder().find(core, ref, caller));
              }
              var unfinished =
                  found.stream().filter(t -> core.ledger().job(t.job().id()).isPresent()).toList();
              return query.jobs().isEmpty() || !unfinished.isEmpty()
                  ? new Listing(core, desk.views(), now).rows(query, states, unfinished)
                  : new Listing.Rows(List.of(), 0);
            });
    var all = new ArrayList<>(rows.rows());
    long total = query.jobs().isEmpty() ? rows.total() : all.size();
    if (states.stream().anyMatch(JobState::over)) {
      List<JobView> ended = ended(query, states, found);
      all.addAll(ended);
      total += ended.size();
      all.sort(Comparator.comparingLong(JobView::jobId));
    }
    int limit = query.limit() > 0 ? Math.min(query.limit(), all.size()) : all.size();
    return new JobList(List.copyOf(all.subList(0, limit)), Math.max(total, limit));
  }

  private static Set<JobState> states(JobQuery query) {
    if (!query.states().isEmpty()) {
      return query.states();
    }
    // Who names a job wants to see it, over or not.
    return query.jobs().isEmpty()
        ? EnumSet.of(JobState.PENDING, JobState.RUNNING, JobState.COMPLETING)
        : EnumSet.allOf(JobState.class);
  }

  private List<JobView> ended(JobQuery query, Set<JobState> states, List<Target> targets)
      throws Refusal {
    var over = EnumSet.noneOf(JobState.class);
    states.stream().filter(JobState::over).forEach(over::add);
    int limit = query.limit() > 0 ? query.limit() : MOST_ROWS;
    var numbers = new ArrayList<JobId>();
    targets.forEach(
        t ->
            numbers.add(
                t.offsets().size() == t.job().spec().tasks().count()
                    ? t.job().id()
                    : t.job().task(t.offsets().first()).number()));
    var past =
        new History.Query(
            numbers,
            over,
            query.users(),
            query.names(),
            query.project(),
            query.endedSince(),
            limit);
    try {
      return desk.store().history().ended(past).stream()
          .filter(e -> targets.isEmpty() || wanted(targets, e.job(), e.offset()))
          .map(desk.views()::ended)
          .toList();
    } catch (StoreException e) {
      throw new Refusal(String.valueOf(e.getMessage()));
    }
  }

  private static boolean wanted(List<Target> targets, Job job, int offset) {
    return targets.stream()
        .anyMatch(t -> t.job().id().equals(job.id()) && t.offsets().contains(offset));
  }

  List<JobView> show(JobRef ref, Owner caller) throws Refusal {
    var query = new JobQuery(List.of(ref), Set.of(), List.of(), List.of(), Optional.empty(), 0);
    var rows = new ArrayList<JobView>();
    for (JobView row : jobs(query, caller).jobs()) {
      rows.add(row.arrayTasks() == null ? desk.views().withAttempts(row, past(row)) : row);
    }
    return rows;
  }

  /** An array may have thousands of tasks; only those that were tried before are looked up. */
  private List<History.PastAttempt> past(JobView row) throws Refusal {
    if (row.attempt() == 1) {
      return List.of();
    }
    long job = row.arrayJobId() == null ? row.jobId() : row.arrayJobId();
    try {
      return desk.store()
          .history()
          .attempts(new TaskId(new JobId(job), Math.toIntExact(row.jobId() - job)));
    } catch (StoreException e) {
      throw new Refusal(String.valueOf(e.getMessage()));
    }
  }

  LogPlace log(JobRef ref, Owner caller) throws Refusal {
    return lookWith(
        core -> {
          Target target = desk.finder().find(core, ref, caller);
          int offset = target.offsets().first();
          Job job = target.job();
          boolean over = core.ledger().job(job.id()).map(j -> ended(j, offset)).orElse(true);
          String path =
              logs.out(job, offset)
                  .map(Object::toString)
                  .orElseThrow(() -> new Refusal("job " + ref + " was told to keep no output"));
          return new LogPlace(path, logs.err(job, offset).map(Object::toString), over);
        });
  }

  static boolean ended(Job job, int offset) {
    return !job.waiting().contains(offset)
        && !job.held().contains(offset)
        && !job.live().containsKey(offset);
  }

  /** The tasks that are meant. */
  List<TaskId> tasks(JobRef ref, Owner caller) throws Refusal {
    Target target = lookWith(core -> desk.finder().find(core, ref, caller));
    return target.offsets().stream().mapToObj(target.job()::task).toList();
  }

  /** Blocks until every task that is meant is over. */
  List<JobView> await(JobRef ref, Owner caller, Waiters waiters) throws Refusal {
    Target target = lookWith(core -> desk.finder().find(core, ref, caller));
    waiters.await(
        core ->
            core.ledger()
                .job(target.job().id())
                .map(job -> allEnded(job, target.offsets()))
                .orElse(true));
    return show(JobFinder.plain(ref, target.job()), caller);
  }

  static boolean allEnded(Job job, Ranges offsets) {
    return job.waiting().union(job.held()).intersect(offsets).isEmpty()
        && new TreeSet<>(job.live().keySet()).stream().noneMatch(offsets::contains);
  }

  StatsView stats(Optional<String> user, Optional<String> project, Optional<Instant> since)
      throws Refusal {
    try {
      History.Stats stats =
          desk.store().history().stats(new History.StatsQuery(user, project, since));
      return new StatsView(
          stats.byState().stream()
              .map(s -> new StatsView.StateCount(s.state().name(), s.count()))
              .toList(),
          stats.gpuSeconds(),
          stats.cpuSeconds(),
          stats.meanWait(),
          stats.meanRun(),
          stats.byUser().stream()
              .map(u -> new StatsView.UserSum(u.user(), u.count(), u.gpuSeconds(), u.cpuSeconds()))
              .toList());
    } catch (StoreException e) {
      throw new Refusal(String.valueOf(e.getMessage()));
    }
  }

  /** A look that may be refused. */
  private interface Question<T> {
    T ask(Core core) throws Refusal;
  }

  private <T> T lookWith(Question<T> question) throws Refusal {
    var refused = new ArrayList<Refusal>();
    Optional<T> answer =
        desk.loop()
            .look(
                core -> {
                  try {
                    return Optional.of(question.ask(core));
                  } catch (Refusal refusal) {
                    refused.add(refusal);
                    return Optional.<T>empty();
                  }
                });
    if (answer.isEmpty()) {
      throw refused.getFirst();
    }
    return answer.get();
  }
}
