package gflow.daemon.service;

import gflow.api.Gflow.Done;
import gflow.daemon.core.Core;
import gflow.daemon.core.JobFinder.Target;
import gflow.daemon.core.Refusal;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.JobState;
import gflow.job.Owner;
import gflow.job.Ranges;
import gflow.job.TaskState;
import gflow.store.History;
import gflow.store.History.Ended;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes one change to many jobs, some in each turn of the loop, because others wait for it. Each
 * turn is committed: if the daemon dies in between, those are changed and the rest is not, and
 * whoever asks again gets the rest done.
 */
public record JobChanges(ServiceContext context) {
  /** As many jobs as are changed and committed in some milliseconds. */
  public static final int SLICE = 500;

  private static final String HAD_ENDED = "had ended";

  /** So many of those that come too late hear how it ended; so many ends are looked at for it. */
  private static final int ENOUGH = 1000;

  private static final int ENDS = 10_000;

  /** {@code done} is said of tasks that it was made to, {@code not} of others of that job. */
  record Change(Fits fits, Make make, String done, Not not) {}

  /** The tasks of an unfinished job to which it can be made. */
  interface Fits {
    Ranges of(Job job, List<Target> named) throws Refusal;
  }

  interface Make {
    void to(Core core, Job job, Ranges offsets, Instant now) throws Refusal;
  }

  interface Not {
    String why(Job job, Target target);
  }

  static Ranges alive(Job job) {
    return job.waiting().union(job.held()).union(running(job, state -> true));
  }

  static Ranges running(Job job, Predicate<TaskState> states) {
    return Ranges.ofAll(
        job.live().entrySet().stream()
            .filter(live -> states.test(live.getValue()))
            .map(Map.Entry::getKey)
            .toList());
  }

  List<Done> make(List<JobRef> refs, Owner caller, Change change) throws Refusal {
    List<Target> targets = context.finder().all(refs, caller);
    return withEnds(targets, make(targets, change), true);
  }

  /** What was done, in the order of the targets. */
  List<Done> make(List<Target> targets, Change change) throws Refusal {
    var done = new ArrayList<Done>(targets.size());
    for (List<Target> some : slices(targets)) {
      done.addAll(context.loop().ask((core, now) -> make(core, some, change, now)));
    }
    return done;
  }

  /** So many jobs each; the tasks of one array that are named one after the other stay together. */
  static List<List<Target>> slices(List<Target> targets) {
    var slices = new ArrayList<List<Target>>();
    int start = 0;
    int jobs = 0;
    for (int i = 0; i < targets.size(); i++) {
      jobs += i > 0 && targets.get(i).job().equals(targets.get(i - 1).job()) ? 0 : 1;
      if (jobs > SLICE) {
        slices.add(targets.subList(start, i));
        start = i;
        jobs = 1;
      }
    }
    if (start < targets.size()) {
      slices.add(targets.subList(start, targets.size()));
    }
    return slices;
  }

  /** On the loop's thread. The tasks of one array are changed together, and not copied for each. */
  List<Done> make(Core core, List<Target> targets, Change change, Instant now) throws Refusal {
    var byJob = new LinkedHashMap<JobId, List<Target>>();
    targets.forEach(t -> byJob.computeIfAbsent(t.job(), id -> new ArrayList<>()).add(t));
    var seen = new HashMap<JobId, Seen>();
    for (var named : byJob.entrySet()) {
      Optional<Job> job = core.ledger().job(named.getKey());
      if (job.isPresent()) {
        seen.put(named.getKey(), make(core, job.get(), named.getValue(), change, now));
      }
    }
    return targets.stream().map(t -> done(t, seen.get(t.job()), change)).toList();
  }

  /** A job before the change: what of it was not over, and what it was made to. */
  private record Seen(Job job, Ranges alive, Ranges fits) {}

  private static Seen make(Core core, Job job, List<Target> named, Change change, Instant now)
      throws Refusal {
    var parts = new ArrayList<Ranges.Range>();
    named.forEach(target -> parts.addAll(target.offsets().parts()));
    Ranges wanted = Ranges.merged(parts);
    Ranges alive = alive(job);
    if (!alive.meets(wanted)) {
      return new Seen(job, alive, Ranges.EMPTY);
    }
    Ranges fits = change.fits().of(job, named).intersect(wanted);
    if (!fits.isEmpty()) {
      change.make().to(core, job, fits, now);
    }
    return new Seen(job, alive, fits);
  }

  private static Done done(Target target, @Nullable Seen seen, Change change) {
    String name = target.ref().toString();
    if (seen == null || !seen.alive().meets(target.offsets())) {
      return new Done(name, false, HAD_ENDED);
    }
    return seen.fits().meets(target.offsets())
        ? new Done(name, true, change.done())
        : new Done(name, false, change.not().why(seen.job(), target));
  }

  // ---- those that come too late ----

  /** They hear how it ended; read here and not on the loop's thread. */
  List<Done> withEnds(List<Target> targets, List<Done> done, boolean redo) throws Refusal {
    var late = new LinkedHashMap<Integer, Target>();
    for (int i = 0; i < done.size() && i < targets.size() && late.size() < ENOUGH; i++) {
      // The answer to a repeated key may be about other jobs than are named now.
      if (done.get(i).text().equals(HAD_ENDED)
          && done.get(i).job().equals(targets.get(i).ref().toString())) {
        late.put(i, targets.get(i));
      }
    }
    if (late.isEmpty()) {
      return done;
    }
    Map<JobId, List<Ended>> ends = ends(List.copyOf(late.values()));
    var told = new ArrayList<>(done);
    late.forEach(
        (i, target) -> {
          String next = redo ? "; gjob redo " + target.job() + " submits it again" : "";
          told.set(i, new Done(done.get(i).job(), false, HAD_ENDED + states(target, ends) + next));
        });
    return told;
  }

  private Map<JobId, List<Ended>> ends(List<Target> late) throws Refusal {
    var query =
        new History.Query(
            late.stream().map(Target::number).toList(),
            Set.of(),
            List.of(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            ENDS);
    return Refusal.stored(() -> context.store().history().ended(query)).stream()
        .collect(Collectors.groupingBy(row -> row.job().id()));
  }

  /** {@code : COMPLETED}, or several of an array's. */
  private static String states(Target target, Map<JobId, List<Ended>> ends) {
    var states = new TreeSet<JobState>();
    ends.getOrDefault(target.job(), List.of()).stream()
        .filter(row -> row.offsets().meets(target.offsets()))
        .forEach(row -> states.add(row.outcome().state()));
    return states.isEmpty()
        ? ""
        : ": " + states.stream().map(JobState::name).collect(Collectors.joining(", "));
  }
}
