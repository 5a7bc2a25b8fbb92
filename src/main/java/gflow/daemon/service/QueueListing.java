package gflow.daemon.service;

import gflow.api.Gflow.JobQuery;
import gflow.api.JobView;
import gflow.daemon.core.Core;
import gflow.daemon.core.JobFinder.Target;
import gflow.daemon.core.Ledger;
import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobSpec;
import gflow.job.JobState;
import gflow.job.Ranges;
import gflow.job.TaskState;
import gflow.job.Tries;
import gflow.plan.Planner;
import gflow.plan.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Lists jobs that are not over, with the reasons of those that wait. Runs on the loop's thread. */
public final class QueueListing {
  /** To look at so many that do not fit takes as long as to list {@link #SLICE}. */
  private static final int SEEN = 20_000;

  /** As many rows as are made in some milliseconds. */
  public static final int SLICE = 1000;

  private final Core core;
  private final Views views;
  private final Instant now;
  private final Planner.Explainer explainer;
  private @Nullable Waiting last;

  /** Jobs that were submitted together share their spec, and so most of their rows. */
  private record Waiting(JobSpec spec, JobView row) {}

  public QueueListing(Core core, Views views, Instant now) {
    this.core = core;
    this.views = views;
    this.now = now;
    explainer = Planner.explain(core.view(now));
  }

  /** Some rows, how many rows there are of the jobs that were seen, and where to go on. */
  record Rows(List<JobView> rows, long total, Optional<JobId> next) {}

  /** Of those that are named and fit, the ones that are not over. */
  Rows rows(List<Target> targets, JobQuery query, Set<JobState> states) {
    var rows = new ArrayList<JobView>();
    for (Target target : targets) {
      core.ledger()
          .job(target.job())
          .filter(job -> fits(job, query))
          .ifPresent(job -> add(rows, job, target.offsets(), states));
    }
    return new Rows(rows, rows.size(), Optional.empty());
  }

  /**
   * Of all that fit, from that number on; some jobs at a time, because others wait meanwhile. With
   * {@code most} of none they are only counted.
   */
  Rows rows(JobQuery query, Set<JobState> states, JobId from, int most) {
    var rows = new ArrayList<JobView>();
    long total = 0;
    int seen = 0;
    for (Job job : core.ledger().from(from)) {
      if ((most > 0 && rows.size() >= most) || ++seen > SEEN) {
        return new Rows(rows, total, Optional.of(job.id()));
      }
      if (fits(job, query)) {
        total += count(job, states);
        if (most > 0) {
          add(rows, job, Ranges.firstN(job.spec().tasks().count()), states);
        }
      }
    }
    return new Rows(rows, total, Optional.empty());
  }

  /** How many rows it has: those that wait are one, and so are those that are held. */
  private static long count(Job job, Set<JobState> states) {
    long rows = 0;
    for (TaskState live : job.live().values()) {
      rows += states.contains(live.shown()) ? 1 : 0;
    }
    return states.contains(JobState.PENDING)
        ? rows + (job.waiting().isEmpty() ? 0 : 1) + (job.held().isEmpty() ? 0 : 1)
        : rows;
  }

  static boolean fits(Job job, JobQuery query) {
    return (query.users().isEmpty() || query.users().contains(job.spec().owner().name()))
        && (query.names().isEmpty() || query.names().contains(job.spec().name()))
        && (query.project().isEmpty() || query.project().equals(job.spec().project()));
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
      rows.add(waiting(job, waiting));
    }
    Ranges held = job.held().intersect(offsets);
    if (!held.isEmpty()) {
      rows.add(views.waiting(job, held, new Reason.JobHeldUser().text(), true));
    }
  }

  @SuppressWarnings("ReferenceEquality")
  private JobView waiting(Job job, Ranges offsets) {
    String why = reason(job).text();
    if (job.spec().isArray() || !job.tries().equals(Tries.NONE)) {
      return views.waiting(job, offsets, why, false);
    }
    JobView row =
        last != null && last.spec() == job.spec()
            ? views.ofTwin(last.row(), job, why)
            : views.waiting(job, offsets, why, false);
    last = new Waiting(job.spec(), row);
    return row;
  }

  private Views.Beside beside(Job job, Map.Entry<Integer, TaskState> live) {
    return Attempt.of(live.getValue())
        .map(a -> new AttemptId(job.task(live.getKey()), a.number()))
        .map(id -> Views.Beside.of(core, id, now, views.times()))
        .orElse(Views.Beside.NOTHING);
  }

  /** Why the waiting tasks of this job do not run. */
  public Reason reason(Job job) {
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
    if (!job.waiting().isEmpty() && job.turn(now).isEmpty()) {
      return new Reason.Resting(job.nextAttempt(job.waiting().first()));
    }
    if (job.startable(now) == 0) {
      return new Reason.JobArrayTaskLimit(job.spec().tasks().limit());
    }
    Optional<String> paused = core.inventory().controls().paused();
    if (paused.isPresent()) {
      return new Reason.Paused(paused.get());
    }
    if (core.diskLow()) {
      return new Reason.Disk(core.inventory().diskFloor());
    }
    if (core.trouble().isPresent()) {
      return new Reason.Unwritten(core.trouble().get());
    }
    Optional<String> setback = core.ledger().setbacks().why(id, now);
    if (setback.isPresent()) {
      return new Reason.NotStarted(setback.get());
    }
    return explainer.why(Ledger.candidate(job, now));
  }
}
