package gflow.daemon;

import gflow.api.Gflow.JobQuery;
import gflow.api.JobView;
import gflow.job.AttemptId;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobState;
import gflow.job.Ranges;
import gflow.job.TaskState;
import gflow.plan.Planner;
import gflow.plan.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Lists jobs that are not over, with the reasons of those that wait. Runs on the loop's thread. */
final class Listing {
  private final Core core;
  private final Views views;
  private final Instant now;
  private final Planner.Explainer explainer;

  Listing(Core core, Views views, Instant now) {
    this.core = core;
    this.views = views;
    this.now = now;
    explainer = Planner.explain(core.view(now));
  }

  /** The rows of the jobs that fit, up to the limit, and how many fit in all. */
  record Rows(List<JobView> rows, long total) {}

  Rows rows(JobQuery query, Set<JobState> states, List<Target> targets, Room room) throws Refusal {
    var rows = new ArrayList<JobView>();
    int limit = query.limit() > 0 ? query.limit() : Integer.MAX_VALUE;
    if (!targets.isEmpty()) {
      for (Target target : targets) {
        int before = rows.size();
        add(rows, target.job(), target.offsets(), states);
        room.check(before, rows);
      }
      return new Rows(rows.size() > limit ? rows.subList(0, limit) : rows, rows.size());
    }
    long total = 0;
    for (Job job : core.ledger().jobs()) {
      if (fits(job, query)) {
        total += count(job, states);
        int before = rows.size();
        if (before < limit) {
          add(rows, job, Ranges.firstN(job.spec().tasks().count()), states);
          room.check(before, rows);
        }
      }
    }
    return new Rows(rows.size() > limit ? rows.subList(0, limit) : rows, total);
  }

  /** How many rows it has: those that wait are one, and so are those that are held. */
  private static long count(Job job, Set<JobState> states) {
    long live = job.live().values().stream().filter(s -> states.contains(s.shown())).count();
    return states.contains(JobState.PENDING)
        ? live + (job.waiting().isEmpty() ? 0 : 1) + (job.held().isEmpty() ? 0 : 1)
        : live;
  }

  /** Those tasks of a job. */
  record Target(Job job, Ranges offsets) {}

  static boolean fits(Job job, JobQuery query) {
    return (query.users().isEmpty() || query.users().contains(job.spec().owner().name()))
        && (query.names().isEmpty() || query.names().contains(job.spec().name()))
        && query.project().map(p -> job.spec().project().equals(Optional.of(p))).orElse(true);
  }

  List<JobView> all(Job job, Ranges offsets) {
    var rows = new ArrayList<JobView>();
    add(rows, job, offsets, Set.of(JobState.values()));
    return rows;
  }

  private void add(List<JobView> rows, Job job, Ranges offsets, Set<JobState> states) {
    for (Map.Entry<Integer, TaskState> live : job.live().entrySet()) {
      if (offsets.contains(live.getKey()) && states.contains(live.getValue().shown())) {
        rows.add(views.live(job, live.getKey(), live.getValue(), beside(job, live), now));
      }
    }
    if (!states.contains(JobState.PENDING)) {
      return;
    }
    Ranges waiting = job.waiting().intersect(offsets);
    if (!waiting.isEmpty()) {
      rows.add(views.waiting(job, waiting, reason(job).text(), false));
    }
    Ranges held = job.held().intersect(offsets);
    if (!held.isEmpty()) {
      rows.add(views.waiting(job, held, new Reason.JobHeldUser().text(), true));
    }
  }

  private Views.Beside beside(Job job, Map.Entry<Integer, TaskState> live) {
    return Core.attempt(live.getValue())
        .map(a -> new AttemptId(job.task(live.getKey()), a.number()))
        .map(id -> Views.Beside.of(core, id, now))
        .orElse(Views.Beside.NOTHING);
  }

  /** Why the waiting tasks of this job do not run. */
  Reason reason(Job job) {
    JobId id = job.id();
    Optional<Instant> begin = job.spec().terms().begin();
    if (begin.isPresent() && begin.get().isAfter(now)) {
      return new Reason.BeginTime(begin.get());
    }
    if (core.ledger().parents().never(id)) {
      return new Reason.DependencyNeverSatisfied();
    }
    if (!core.ledger().parents().missing(id).isEmpty()) {
      return new Reason.Dependency(core.ledger().parents().missing(id));
    }
    Optional<Instant> metAt = core.ledger().parents().metAt(id);
    if (metAt.isPresent()) {
      return new Reason.BeginTime(metAt.get());
    }
    if (job.startable() == 0) {
      return new Reason.JobArrayTaskLimit(job.spec().tasks().limit());
    }
    if (core.diskLow()) {
      return new Reason.Disk(core.inventory().diskFloor());
    }
    if (core.trouble().isPresent()) {
      return new Reason.Unwritten(core.trouble().get());
    }
    return explainer.why(Ledger.candidate(job));
  }
}
