package gflow.daemon.service;

import gflow.api.Answer;
import gflow.api.ChangesView;
import gflow.api.ChangesView.Delta;
import gflow.api.Gflow.JobQuery;
import gflow.api.GoingDown;
import gflow.api.JobView;
import gflow.api.MachineView;
import gflow.api.ProblemView;
import gflow.api.SnapshotView;
import gflow.api.StepView;
import gflow.daemon.core.Core;
import gflow.daemon.core.Problems;
import gflow.daemon.core.Refusal;
import gflow.daemon.service.ChangeRing.Entry;
import gflow.daemon.service.ChangeRing.Thing;
import gflow.job.JobId;
import gflow.job.Owner;
import gflow.job.Ranges;
import gflow.job.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How everything is, with a number, and what has changed after a number: what a page or a screen is
 * drawn from. A thing that has changed is told as it is now, so whoever has all changes after a
 * snapshot is in step, however often a thing has changed in between.
 */
public final class ChangeFeed {
  /** While somebody looks, GPUs are looked at so often. */
  private static final Duration LOOK = Duration.ofSeconds(2);

  private static final int SOME = 1000;

  private final ServiceContext context;
  private final ChangeRing ring;
  private final Querying querying;
  private final Stepping stepping;
  private final Operating operating;
  private final Problems problems;
  private final Runnable look;
  private final AtomicLong looked = new AtomicLong(System.nanoTime() - LOOK.toNanos());

  public ChangeFeed(
      ServiceContext context,
      ChangeRing ring,
      Querying querying,
      Stepping stepping,
      Operating operating,
      Problems problems,
      Runnable look) {
    this.context = context;
    this.ring = ring;
    this.querying = querying;
    this.stepping = stepping;
    this.operating = operating;
    this.problems = problems;
    this.look = look;
  }

  SnapshotView snapshot(Owner caller) throws Refusal {
    // The number first: what changes from here on is told again.
    long number = ring.number();
    var all = new JobQuery(List.of(), Set.of(), List.of(), List.of(), Optional.empty(), 0);
    lookAtGpus();
    return new SnapshotView(
        ring.epoch(),
        number,
        querying.jobs(all, caller).jobs(),
        stepping.running(),
        operating.machine(),
        problems());
  }

  private List<ProblemView> problems() {
    return problems.all().stream().map(context.views()::problem).toList();
  }

  ChangesView after(String epoch, OptionalLong number, Duration patience) throws Refusal {
    return number.isPresent()
        ? after(epoch, number.getAsLong(), patience)
        : new ChangesView(ring.epoch(), ring.number(), List.of());
  }

  private ChangesView after(String epoch, long after, Duration patience) throws Refusal {
    check(epoch, after);
    lookAtGpus();
    List<Entry> entries = ring.after(after, SOME);
    long end = System.nanoTime() + patience.toNanos();
    for (Duration left = patience; entries.isEmpty() && left.isPositive(); ) {
      await(after, left.compareTo(LOOK) < 0 ? left : LOOK);
      check(epoch, after);
      lookAtGpus();
      entries = ring.after(after, SOME);
      left = Duration.ofNanos(end - System.nanoTime());
    }
    long number = entries.isEmpty() ? after : entries.getLast().number();
    return new ChangesView(epoch, number, deltas(entries));
  }

  private void check(String epoch, long after) throws Refusal {
    if (!ring.keeps(epoch, after)) {
      throw new Refusal(
          Answer.Kind.GONE,
          "the changes after " + after + " are not kept (any more): GET /v1/snapshot starts anew");
    }
  }

  private void await(long after, Duration patience) {
    try {
      if (ring.await(after, patience)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new GoingDown();
  }

  /** Each look is a change of its own, so a wait for changes must not cause the next at once. */
  private void lookAtGpus() {
    long now = System.nanoTime();
    long before = looked.get();
    if (now - before > LOOK.toNanos() && looked.compareAndSet(before, now)) {
      look.run();
    }
  }

  /** Each thing once, by its last change: that one says all that those before have said. */
  private List<Delta> deltas(List<Entry> entries) throws Refusal {
    var last = new LinkedHashMap<Thing, Entry>();
    for (Entry entry : entries) {
      last.remove(entry.thing());
      last.put(entry.thing(), entry);
    }
    var rows = new Rows(last.keySet());
    var deltas = new ArrayList<Delta>();
    for (Entry entry : last.values()) {
      delta(entry, rows).ifPresent(deltas::add);
    }
    return List.copyOf(deltas);
  }

  /** What the changes of one answer are about, found with few questions for all of them. */
  private final class Rows {
    private final Map<JobId, List<JobView>> unfinished;
    private final Map<Long, JobView> ended = new TreeMap<>();
    private final Map<TaskId, List<StepView>> steps = new TreeMap<>();

    Rows(Set<Thing> things) throws Refusal {
      var jobs = new ArrayList<JobId>();
      var tasks = new ArrayList<JobId>();
      for (Thing thing : things) {
        switch (thing) {
          case Thing.Unfinished(JobId job) -> jobs.add(job);
          case Thing.Ended(TaskId task) -> tasks.add(task.number());
          case Thing.OneStep(var id) -> steps.put(id.attempt().task(), List.of());
          case Thing.Machine _, Thing.OpenProblems _ -> {}
        }
      }
      unfinished = jobs.isEmpty() ? Map.of() : context.loop().look(core -> rows(core, jobs));
      if (!tasks.isEmpty()) {
        querying.ended(tasks).forEach(row -> ended.put(row.jobId(), row));
      }
      for (TaskId task : List.copyOf(steps.keySet())) {
        steps.put(task, stepping.steps(task));
      }
    }
  }

  private Map<JobId, List<JobView>> rows(Core core, List<JobId> jobs) {
    var listing = new QueueListing(core, context.views(), context.now());
    var rows = new TreeMap<JobId, List<JobView>>();
    for (JobId id : jobs) {
      core.ledger()
          .job(id)
          .ifPresent(
              job -> rows.put(id, listing.all(job, Ranges.firstN(job.spec().tasks().count()))));
    }
    return rows;
  }

  private Optional<Delta> delta(Entry entry, Rows rows) throws Refusal {
    return switch (entry.thing()) {
      case Thing.Unfinished(JobId job) ->
          Optional.of(
              delta(entry, "job", job.value(), rows.unfinished.getOrDefault(job, List.of())));
      case Thing.Ended(TaskId task) ->
          Optional.ofNullable(rows.ended.get(task.number().value()))
              .map(row -> delta(entry, "ended", task.job().value(), List.of(row)));
      case Thing.OneStep(var id) ->
          rows.steps.getOrDefault(id.attempt().task(), List.of()).stream()
              .filter(step -> step.stepId().equals(id.toString()))
              .filter(step -> step.attempt() == id.attempt().number())
              .findFirst()
              .map(step -> delta(entry, "step", List.of(step), null, List.of()));
      case Thing.Machine _ ->
          Optional.of(delta(entry, "machine", List.of(), operating.machine(), List.of()));
      case Thing.OpenProblems _ ->
          Optional.of(delta(entry, "problems", List.of(), null, problems()));
    };
  }

  private Delta delta(Entry entry, String kind, long job, List<JobView> jobs) {
    String time = context.views().time(entry.at());
    return new Delta(entry.number(), time, kind, job, jobs, List.of(), null, List.of());
  }

  private Delta delta(
      Entry entry,
      String kind,
      List<StepView> steps,
      @Nullable MachineView machine,
      List<ProblemView> open) {
    String time = context.views().time(entry.at());
    return new Delta(entry.number(), time, kind, null, List.of(), steps, machine, open);
  }
}
