package gflow.daemon;

import gflow.api.Answer;
import gflow.api.Gflow.Done;
import gflow.api.Gflow.Receipt;
import gflow.api.Gflow.Selection;
import gflow.daemon.Listing.Target;
import gflow.job.Asked;
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
import gflow.script.BadInput;
import gflow.script.JobRefs;
import gflow.store.History;
import gflow.store.Store.StoreException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Changes to jobs that are there: cancel, hold, release, update, and the same again. */
final class Editing {
  private static final String HAD_ENDED = "had ended";

  /** Of a large array's tasks, to say how they ended. */
  private static final int ENOUGH = 10_000;

  private final Desk desk;
  private final Submitting submitting;

  Editing(Desk desk, Submitting submitting) {
    this.desk = desk;
    this.submitting = submitting;
  }

  List<Done> cancel(Selection selection, Owner caller) throws Refusal {
    List<Tried> tried = desk.loop().ask((core, now) -> cancel(core, selection, caller, now));
    var done = new ArrayList<Done>();
    for (Tried one : tried) {
      // Read here and not on the loop's thread, which others wait for.
      String how = one.ended().isPresent() ? states(one.ended().get()) : "";
      done.add(new Done(one.name(), one.ended().isEmpty() && one.known(), one.text() + how));
    }
    return done;
  }

  /** What became of one name; {@code ended} has the tasks that it was too late for. */
  private record Tried(String name, boolean known, String text, Optional<Target> ended) {}

  private List<Tried> cancel(Core core, Selection selection, Owner caller, Instant now)
      throws Refusal {
    var tried = new ArrayList<Tried>();
    if (selection.jobs().isEmpty()) {
      for (Job job : List.copyOf(core.ledger().jobs())) {
        Ranges offsets = fitting(job, selection);
        if (!offsets.isEmpty()) {
          core.cancel(job, offsets, caller.name(), now);
          tried.add(new Tried(job.id().toString(), true, "cancelled", Optional.empty()));
        }
      }
      return tried;
    }
    for (JobRef ref : selection.jobs()) {
      try {
        Target target = desk.finder().find(core, ref, caller);
        tried.add(cancel(core, target, ref, selection, caller, now));
      } catch (Refusal unknown) {
        // One wrong number does not keep the others from being cancelled.
        Done none = Done.unknown(ref.toString());
        tried.add(new Tried(none.job(), false, none.text(), Optional.empty()));
      }
    }
    return tried;
  }

  private static Tried cancel(
      Core core, Target target, JobRef ref, Selection selection, Owner caller, Instant now) {
    Optional<Job> job = core.ledger().job(target.job().id());
    String name = JobFinder.plain(ref, target.job()).toString();
    Ranges offsets =
        job.isEmpty() || selection.states().isEmpty()
            ? target.offsets()
            : inStates(job.get(), selection).intersect(target.offsets());
    if (offsets.isEmpty()) {
      return new Tried(name, false, "is not in these states", Optional.empty());
    }
    int count = job.isEmpty() ? 0 : core.cancel(job.get(), offsets, caller.name(), now);
    return count > 0
        ? new Tried(name, true, "cancelled", Optional.empty())
        : new Tried(name, true, HAD_ENDED, Optional.of(target));
  }

  /** {@code : COMPLETED}, or several of an array's. */
  private String states(Target target) throws Refusal {
    boolean one = target.offsets().size() == 1;
    JobId number = one ? target.job().task(target.offsets().first()).number() : target.job().id();
    var query =
        new History.Query(
            List.of(number),
            Set.of(),
            List.of(),
            List.of(),
            Optional.empty(),
            Optional.empty(),
            ENOUGH);
    try {
      var states = new TreeSet<JobState>();
      desk.store().history().ended(query).stream()
          .filter(row -> !row.offsets().intersect(target.offsets()).isEmpty())
          .forEach(row -> states.add(row.outcome().state()));
      return states.isEmpty()
          ? ""
          : ": " + states.stream().map(JobState::name).collect(Collectors.joining(", "));
    } catch (StoreException e) {
      throw new Refusal(String.valueOf(e.getMessage()));
    }
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

  List<Done> hold(List<JobRef> refs, Owner caller) throws Refusal {
    return each(
        refs,
        caller,
        (core, target, name, now) -> {
          Ranges waiting = target.job().waiting().intersect(target.offsets());
          core.hold(target.job(), waiting, now);
          return waiting.isEmpty()
              ? new Done(name, false, notWaiting(target))
              : new Done(name, true, "held");
        });
  }

  List<Done> signal(List<JobRef> refs, int signal, Recipients to, Owner caller) throws Refusal {
    return each(
        refs,
        caller,
        (core, target, name, now) ->
            core.signal(target.job(), target.offsets(), signal, to) == 0
                ? new Done(name, false, "is not running")
                : new Done(name, true, "signalled"));
  }

  List<Done> requeue(List<JobRef> refs, boolean hold, Owner caller) throws Refusal {
    return each(
        refs,
        caller,
        (core, target, name, now) -> {
          if (!target.job().spec().terms().requeue()) {
            throw new Refusal(
                "Requested operation is presently disabled for job "
                    + name
                    + " (it was submitted without --requeue)");
          }
          var event = new TaskEvent.Requeue(caller.name(), hold, now);
          return core.requeue(target.job(), target.offsets(), event) == 0
              ? new Done(name, false, "is not running")
              : new Done(name, true, "requeued");
        });
  }

  private static String notWaiting(Target target) {
    return target.job().held().intersect(target.offsets()).isEmpty()
        ? "is not waiting"
        : "is held already";
  }

  List<Done> release(List<JobRef> refs, Optional<Instant> begin, Owner caller) throws Refusal {
    return each(
        refs,
        caller,
        (core, target, name, now) -> {
          Ranges held = target.job().held().intersect(target.offsets());
          core.release(target.job(), held, now);
          if (begin.isPresent()) {
            Job released = core.ledger().job(target.job().id()).orElseThrow();
            core.respec(released, Edits.withBegin(released.spec(), begin), now);
          }
          return held.isEmpty() && begin.isEmpty()
              ? new Done(name, false, "is not held")
              : new Done(name, true, "released");
        });
  }

  List<Done> update(
      List<JobRef> refs, SortedMap<String, String> options, Optional<String> key, Owner caller)
      throws Refusal {
    Edit edit = (core, target, name, now) -> update(core, target, name, options, caller, now);
    Edited edited =
        submitting.once(
            key, Edited.class, (core, now) -> new Edited(each(core, refs, caller, edit, now)));
    return withEnds(edited.done(), caller);
  }

  /** What was done, as it is kept for a repeated key: two more hours are not four. */
  record Edited(List<Done> done) {}

  private Done update(
      Core core,
      Target target,
      String name,
      SortedMap<String, String> options,
      Owner caller,
      Instant now)
      throws Refusal {
    Job job = target.job();
    if (target.offsets().size() < job.spec().tasks().count()) {
      throw new Refusal(
          "the tasks of an array are changed together: name job %s, not %s"
              .formatted(job.id(), name));
    }
    boolean started = !job.live().isEmpty() || job.tally().ended() > 0;
    for (String option : options.keySet()) {
      if (started && !Edits.WHILE_RUNNING.contains(option)) {
        throw new Refusal(
            "job "
                + name
                + " has started: only "
                + String.join(", ", Edits.WHILE_RUNNING)
                + " can still be changed, not "
                + option);
      }
    }
    try {
      JobSpec edited = Edits.apply(job.spec(), options, now, desk.zone());
      if (options.containsKey("time")) {
        submitting.checkTime(edited);
      }
      JobSpec spec = Submitting.counted(core, edited);
      Optional<Reason> never =
          Planner.never(core.inventory().machine(), spec.request(), Asked.of(spec));
      if (never.isPresent()) {
        throw new Refusal(never.get().text());
      }
      core.respec(job, submitting.resolve(core, spec, caller), now);
      return new Done(name, true, "updated");
    } catch (BadInput e) {
      throw new Refusal(Answer.Kind.USAGE, e.line());
    }
  }

  /** What is done to one job that is not over. */
  private interface Edit {
    Done apply(Core core, Target target, String name, Instant now) throws Refusal;
  }

  private List<Done> each(List<JobRef> refs, Owner caller, Edit edit) throws Refusal {
    return withEnds(desk.loop().ask((core, now) -> each(core, refs, caller, edit, now)), caller);
  }

  /** Those who were too late hear how it ended; read here and not on the loop's thread. */
  private List<Done> withEnds(List<Done> done, Owner caller) throws Refusal {
    var told = new ArrayList<Done>();
    for (Done one : done) {
      told.add(one.text().equals(HAD_ENDED) ? withEnd(one, caller) : one);
    }
    return told;
  }

  private Done withEnd(Done late, Owner caller) throws Refusal {
    try {
      JobRef ref = JobRefs.one(late.job());
      Target target = desk.loop().ask((core, now) -> desk.finder().find(core, ref, caller));
      String next = "; gjob redo " + target.job().id() + " submits it again";
      return new Done(late.job(), false, HAD_ENDED + states(target) + next);
    } catch (BadInput e) {
      throw new IllegalStateException(e);
    }
  }

  private List<Done> each(Core core, List<JobRef> refs, Owner caller, Edit edit, Instant now)
      throws Refusal {
    var done = new ArrayList<Done>();
    for (JobRef ref : refs) {
      Target target = desk.finder().find(core, ref, caller);
      JobId id = target.job().id();
      String name = JobFinder.plain(ref, target.job()).toString();
      done.add(
          core.ledger().job(id).isPresent() && !Reading.allEnded(target.job(), target.offsets())
              ? edit.apply(core, target, name, now)
              : new Done(name, false, HAD_ENDED));
    }
    return done;
  }

  /** Submits the same again as a new job. */
  List<Receipt> redo(JobRef ref, boolean failedOnly, Optional<String> key, Owner caller)
      throws Refusal {
    return submitting
        .once(
            key,
            Submitting.Receipts.class,
            (core, now) -> {
              Job job = desk.finder().find(core, ref, caller).job();
              JobSpec spec = Edits.again(job.spec());
              JobSpec wanted = failedOnly ? Edits.onlyTasks(spec, failed(job)) : spec;
              Job again = submitting.submit(core, wanted, caller, "", now);
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
