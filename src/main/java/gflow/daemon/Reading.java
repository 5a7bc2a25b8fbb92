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
import gflow.store.History.Ended;
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
  private static final Set<JobState> NOT_WELL =
      EnumSet.of(
          JobState.FAILED,
          JobState.CANCELLED,
          JobState.TIMEOUT,
          JobState.OUT_OF_MEMORY,
          JobState.NODE_FAIL);

  private final Desk desk;
  private final LogFiles logs;
  private final Room room;

  Reading(Desk desk, LogFiles logs, Room room) {
    this.desk = desk;
    this.logs = logs;
    this.room = room;
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
                  ? new Listing(core, desk.views(), now).rows(query, states, unfinished, room)
                  : new Listing.Rows(List.of(), 0);
            });
    var all = new ArrayList<>(rows.rows());
    long total = rows.total();
    if (states.stream().anyMatch(JobState::over)) {
      History.Query past = past(query, states, found);
      List<JobView> ended = ended(past, found);
      all.addAll(ended);
      total += ended.size() < past.limit() ? ended.size() : count(past);
      if (query.limit() <= 0 || query.limit() > room.most()) {
        room.check(all.size(), all.size());
      }
      all.sort(Comparator.comparingLong(JobView::jobId));
    }
    int limit = query.limit() > 0 ? Math.min(query.limit(), all.size()) : all.size();
    return new JobList(List.copyOf(all.subList(0, limit)), total);
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

  private static History.Query past(JobQuery query, Set<JobState> states, List<Target> targets) {
    var over = EnumSet.noneOf(JobState.class);
    states.stream().filter(JobState::over).forEach(over::add);
    int limit = query.limit() > 0 ? query.limit() : Integer.MAX_VALUE;
    var numbers = new ArrayList<JobId>();
    targets.forEach(
        t ->
            numbers.add(
                t.offsets().size() == t.job().spec().tasks().count()
                    ? t.job().id()
                    : t.job().task(t.offsets().first()).number()));
    return new History.Query(
        numbers, over, query.users(), query.names(), query.project(), query.endedSince(), limit);
  }

  private long count(History.Query past) throws Refusal {
    try {
      return desk.store().history().count(past);
    } catch (StoreException e) {
      throw new Refusal(String.valueOf(e.getMessage()));
    }
  }

  private List<JobView> ended(History.Query past, List<Target> targets) throws Refusal {
    var all = new ArrayList<JobView>();
    var tooMany = new ArrayList<Refusal>();
    try {
      desk.store()
          .history()
          .ended(
              past,
              row -> {
                int before = all.size();
                wanted(targets, row).map(desk.views()::ended).ifPresent(all::add);
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

  /** Of what was found, the tasks that are meant. */
  private static Optional<Ended> wanted(List<Target> targets, Ended row) {
    if (targets.isEmpty()) {
      return Optional.of(row);
    }
    Ranges meant = Ranges.EMPTY;
    for (Target target : targets) {
      if (target.job().id().equals(row.job().id())) {
        meant = meant.union(target.offsets());
      }
    }
    Ranges tasks = row.offsets().intersect(meant);
    return tasks.isEmpty()
        ? Optional.empty()
        : Optional.of(new Ended(row.job(), tasks, row.attempt(), row.outcome(), row.lent()));
  }

  List<JobView> show(JobRef ref, Owner caller) throws Refusal {
    var rows = new ArrayList<JobView>();
    for (JobView row : jobs(of(ref, Set.of(), 0), caller).jobs()) {
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

  /** The tasks that are meant and have steps. */
  List<TaskId> stepped(JobRef ref, Owner caller) throws Refusal {
    Target target = lookWith(core -> desk.finder().find(core, ref, caller));
    if (target.offsets().size() == 1) {
      return List.of(target.job().task(target.offsets().first()));
    }
    try {
      return desk.store().history().stepped(target.job(), room.most());
    } catch (StoreException e) {
      throw new Refusal(String.valueOf(e.getMessage()));
    }
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
    return ends(JobFinder.plain(ref, target.job()), target, caller);
  }

  /** Who waits for more than fits wants to know whether, and how, some did not end well. */
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
