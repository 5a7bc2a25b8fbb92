package gflow.daemon.service;

import gflow.api.Answer;
import gflow.api.Gflow.Done;
import gflow.api.Gflow.Receipt;
import gflow.api.Gflow.Selection;
import gflow.daemon.core.Core;
import gflow.daemon.core.JobFinder;
import gflow.daemon.core.JobFinder.Target;
import gflow.daemon.core.LoopWork;
import gflow.daemon.core.Refusal;
import gflow.daemon.service.JobChanges.Change;
import gflow.daemon.service.Submitting.Asking;
import gflow.job.Dependencies;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.JobSpec;
import gflow.job.JobState;
import gflow.job.Owner;
import gflow.job.Ranges;
import gflow.job.Recipients;
import gflow.job.TaskEvent;
import gflow.job.TaskState;
import gflow.plan.Planner;
import gflow.plan.Reason;
import gflow.script.value.BadInput;
import gflow.script.value.DependencySyntax;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Changes to jobs that are there: cancel, hold, release, update, and the same again. */
public record Editing(ServiceContext context, Submitting submitting) {
  private JobChanges changes() {
    return new JobChanges(context);
  }

  // ---- cancel ----

  public List<Done> cancel(Selection selection, Owner caller) throws Refusal {
    return selection.jobs().isEmpty()
        ? cancelFitting(selection, caller)
        : cancelNamed(selection, caller);
  }

  /** One wrong number does not keep the others from being cancelled. */
  private List<Done> cancelNamed(Selection selection, Owner caller) throws Refusal {
    JobFinder.Past past = context.finder().past(selection.jobs(), caller);
    var unknown = new TreeMap<Integer, Done>();
    var targets = new ArrayList<Target>();
    for (JobRef ref : selection.jobs()) {
      past.find(ref)
          .ifPresentOrElse(
              targets::add,
              () -> unknown.put(targets.size() + unknown.size(), Done.unknown(ref.toString())));
    }
    var cancel =
        new Change(
            (job, _) ->
                selection.states().isEmpty() ? JobChanges.alive(job) : inStates(job, selection),
            (core, job, offsets, now) -> core.cancel(job, offsets, caller.name(), now),
            "cancelled",
            (job, target) -> "is not in these states");
    var done = new ArrayList<>(changes().withEnds(targets, changes().make(targets, cancel), false));
    unknown.forEach(done::add);
    return done;
  }

  /** From the newest on: so nothing starts that is about to be cancelled, nor loses its parent. */
  private List<Done> cancelFitting(Selection selection, Owner caller) throws Refusal {
    var done = new ArrayDeque<Done>();
    Optional<JobId> end = Optional.of(new JobId(Long.MAX_VALUE));
    while (end.isPresent()) {
      JobId before = end.get();
      List<JobId> some =
          context.loop().ask((core, now) -> cancelSome(core, selection, before, caller, now));
      some.forEach(job -> done.addFirst(new Done(job.toString(), true, "cancelled")));
      end = some.size() < JobChanges.SLICE ? Optional.empty() : Optional.of(some.getLast());
    }
    return List.copyOf(done);
  }

  private static List<JobId> cancelSome(
      Core core, Selection selection, JobId before, Owner caller, Instant now) {
    List<Job> some =
        core.ledger().before(before).stream()
            .filter(job -> !fitting(job, selection).isEmpty())
            .limit(JobChanges.SLICE)
            .toList();
    some.forEach(job -> core.cancel(job, fitting(job, selection), caller.name(), now));
    return some.stream().map(Job::id).toList();
  }

  private static Ranges fitting(Job job, Selection selection) {
    boolean fits =
        (selection.users().isEmpty() || selection.users().contains(job.spec().owner().name()))
            && (selection.names().isEmpty() || selection.names().contains(job.spec().name()));
    if (!fits) {
      return Ranges.EMPTY;
    }
    return selection.states().isEmpty()
        ? Ranges.firstN(job.spec().tasks().count())
        : inStates(job, selection);
  }

  private static Ranges inStates(Job job, Selection selection) {
    Ranges offsets = Ranges.EMPTY;
    if (selection.states().contains(JobState.PENDING)) {
      offsets = selection.held().orElse(false) ? Ranges.EMPTY : job.waiting();
      offsets = selection.held().orElse(true) ? offsets.union(job.held()) : offsets;
    }
    for (Map.Entry<Integer, TaskState> live : job.live().entrySet()) {
      if (selection.states().contains(live.getValue().shown())) {
        offsets = offsets.with(live.getKey());
      }
    }
    return offsets;
  }

  // ---- hold, release, signal, requeue ----

  public List<Done> hold(List<JobRef> refs, Owner caller) throws Refusal {
    var hold = new Change((job, _) -> job.waiting(), Core::hold, "held", Editing::notWaiting);
    return changes().make(refs, caller, hold);
  }

  private static String notWaiting(Job job, Target target) {
    return job.held().meets(target.offsets()) ? "is held already" : "is not waiting";
  }

  List<Done> signal(List<JobRef> refs, int signal, Recipients to, Owner caller) throws Refusal {
    var send =
        new Change(
            (job, _) -> JobChanges.running(job, s -> !(s instanceof TaskState.Completing)),
            (core, job, offsets, now) -> core.signal(job, offsets, signal, to),
            "signalled",
            (job, target) -> "is not running");
    return changes().make(refs, caller, send);
  }

  List<Done> requeue(List<JobRef> refs, boolean hold, Owner caller) throws Refusal {
    var requeue =
        new Change(
            Editing::requeueable,
            (core, job, offsets, now) ->
                core.requeue(job, offsets, new TaskEvent.Requeue(caller.name(), hold, now)),
            "requeued",
            (job, target) -> "is not running");
    return changes().make(refs, caller, requeue);
  }

  private static Ranges requeueable(Job job, List<Target> named) throws Refusal {
    if (!job.spec().terms().requeue()) {
      throw new Refusal(
          "Requested operation is presently disabled for job "
              + named.getFirst().ref()
              + " (it was submitted without --requeue)");
    }
    return JobChanges.running(job, state -> true);
  }

  public List<Done> release(List<JobRef> refs, Optional<Instant> begin, Owner caller)
      throws Refusal {
    JobChanges.Make release =
        (core, job, offsets, now) -> {
          core.release(job, offsets, now);
          if (begin.isPresent()) {
            Job released = core.ledger().job(job.id()).orElseThrow();
            core.respec(released, SpecEdits.withBegin(released.spec(), begin), now);
          }
        };
    var change =
        new Change(
            (job, _) ->
                begin.isPresent()
                    ? JobChanges.alive(job)
                    : job.held().union(Ranges.ofAll(job.tries().resting().keySet())),
            release,
            "released",
            (job, target) -> "is not held");
    return changes().make(refs, caller, change);
  }

  // ---- update ----

  /** A repeated key gets what was done before: two more hours are not four. */
  List<Done> update(
      List<JobRef> refs, SortedMap<String, String> options, Optional<String> key, Owner caller)
      throws Refusal {
    List<Target> targets = context.finder().all(refs, caller);
    var asking = new Asking(caller, submitting.parents(dependencies(options), caller));
    var update =
        new Change(
            (job, named) -> updatable(job, named, options),
            (core, job, offsets, now) -> update(core, job, options, asking, now),
            "updated",
            (job, target) -> "is not waiting");
    var done = new ArrayList<Done>();
    for (List<Target> some : JobChanges.slices(targets)) {
      String part = done.isEmpty() ? "" : "." + done.size();
      LoopWork.Ask.Change<Edited> change =
          (core, now) -> new Edited(changes().make(core, some, update, now));
      done.addAll(submitting.once(key.map(k -> k + part), Edited.class, change).done());
    }
    return changes().withEnds(targets, done, true);
  }

  /** What was done, as it is kept for a repeated key. */
  record Edited(List<Done> done) {}

  /** Those that are named anew; what is wrong with them is said in the job's turn. */
  private static List<Dependencies> dependencies(SortedMap<String, String> options) {
    try {
      return options.containsKey("dependency")
          ? List.of(DependencySyntax.parse(options.get("dependency"), true))
          : List.of();
    } catch (BadInput e) {
      return List.of();
    }
  }

  private static Ranges updatable(Job job, List<Target> named, SortedMap<String, String> options)
      throws Refusal {
    for (Target target : named) {
      if (target.offsets().size() < job.spec().tasks().count()) {
        throw new Refusal(
            "the tasks of an array are changed together: name job %s, not %s"
                .formatted(job.id(), target.ref()));
      }
    }
    boolean started = !job.live().isEmpty() || job.tally().ended() > 0;
    for (String option : options.keySet()) {
      if (started && !SpecEdits.WHILE_RUNNING.contains(option)) {
        throw new Refusal(
            "job %s has started: only %s can still be changed, not %s"
                .formatted(
                    named.getFirst().ref(), String.join(", ", SpecEdits.WHILE_RUNNING), option));
      }
    }
    return JobChanges.alive(job);
  }

  private void update(
      Core core, Job job, SortedMap<String, String> options, Asking asking, Instant now)
      throws Refusal {
    try {
      JobSpec edited = SpecEdits.apply(job.spec(), options, now, context.zone());
      if (options.containsKey("time")) {
        submitting.checkTime(edited);
      }
      JobSpec spec = Submitting.counted(core, edited);
      Optional<Reason> never =
          Planner.never(core.inventory().machine(), spec.request(), spec.asked());
      if (never.isPresent()) {
        throw new Refusal(never.get().text());
      }
      boolean renamed = options.containsKey("dependency");
      core.respec(job, renamed ? submitting.resolve(core, spec, asking) : spec, now);
    } catch (BadInput e) {
      throw new Refusal(Answer.Kind.USAGE, e.line());
    }
  }

  /** Submits the same again as a new job. */
  List<Receipt> redo(JobRef ref, boolean failedOnly, Optional<String> key, Owner caller)
      throws Refusal {
    Job job = context.finder().whole(context.finder().find(ref, caller));
    var asking = new Asking(caller, submitting.parents(List.of(), caller));
    return submitting
        .once(
            key,
            Submitting.Receipts.class,
            (core, now) -> {
              JobSpec spec = job.spec().withTerms(job.spec().terms().again());
              JobSpec wanted = failedOnly ? SpecEdits.onlyTasks(spec, failed(job)) : spec;
              Job again = submitting.submit(core, wanted, asking, "", now);
              return new Submitting.Receipts(List.of(submitting.receipt(again)));
            })
        .receipts();
  }

  private static Ranges failed(Job job) throws Refusal {
    if (job.tally().failed().isEmpty()) {
      throw new Refusal("no task of job " + job.id() + " has failed");
    }
    return job.tally().failed();
  }
}
