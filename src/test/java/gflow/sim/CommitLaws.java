package gflow.sim;

import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Exit;
import gflow.job.GpuId;
import gflow.job.GpuRequest;
import gflow.job.Job;
import gflow.job.JobSpec;
import gflow.job.JobState;
import gflow.job.Loan;
import gflow.job.Outcome;
import gflow.job.Request;
import gflow.job.Step;
import gflow.job.StepId;
import gflow.job.Where;
import gflow.plan.UsageLimits;
import gflow.store.Change;
import gflow.store.History;
import gflow.store.Store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Looks at each group of changes when it has just become durable. */
public final class CommitLaws {
  /** The clock is looked at before it is set right, and both are not of the same moment. */
  private static final Duration TURN = Duration.ofMillis(500);

  private final SimMachine machine;
  private final Told told;
  private final Map<AttemptId, Instant> started = new TreeMap<>(SimMachine.ORDER);
  private final Set<AttemptId> ended = new TreeSet<>(SimMachine.ORDER);
  private final RetryLaws retries;
  private final GpuLaws gpus = new GpuLaws();
  private final PortLaws ports = new PortLaws();
  private final StepLaws steps;
  private final Map<AttemptId, String> boots = new TreeMap<>();

  /** What is on disk now, and the limits that the operator was told hold. */
  public record Scene(List<Job> unfinished, History history, UsageLimits limits, Instant now) {}

  public CommitLaws(SimMachine machine, Told told) {
    this.machine = machine;
    this.told = told;
    steps = new StepLaws(machine.steps());
    retries = new RetryLaws(machine, told);
  }

  public void committed(List<Change> changes, Scene scene) {
    for (Change change : changes) {
      switch (change) {
        case Change.AttemptStarted(AttemptId id, Attempt attempt) -> {
          start(id, attempt, scene);
          gpus.started(id, attempt);
          ports.started(id, attempt, find(scene, id));
          steps.attemptStarted(id, attempt);
          boots.put(id, machine.boot());
        }
        case Change.AttemptUndone(AttemptId id) -> {
          machine.laws().undone(id);
          gpus.over(id);
          ports.over(id);
          steps.attemptOver(id);
        }
        case Change.AttemptEnded(AttemptId id, Attempt attempt, Outcome outcome) -> {
          gpus.over(id);
          ports.over(id);
          steps.attemptOver(id);
          Violation.unless(
              started.containsKey(id) && ended.add(id), "attempt " + id + " ended twice");
          end(id, attempt, outcome);
          signalled(id, outcome, find(scene, id));
          // Who changes the retries in the same moment may have been too late.
          boolean judge = changes.stream().noneMatch(c -> c instanceof Change.Respec);
          retries.ended(id, attempt, outcome, find(scene, id), judge);
        }
        case Change.PutBlob c -> {}
        case Change.Submit c -> {}
        case Change.Progress c -> {}
        case Change.Respec c -> {}
        case Change.AttemptMoved(AttemptId id, Attempt attempt) -> moved(id, attempt);
        case Change.AttemptEnding c -> {}
        case Change.StepStarted(Step step) -> steps.started(step);
        case Change.StepEnding c -> {}
        case Change.StepEnded(StepId id, Step.End end) ->
            steps.ended(id, end, endsWith(changes, id.attempt()));
        case Change.Lent(AttemptId id, Loan loan) -> gpus.lent(id, loan, find(scene, id));
        case Change.GivenBack(AttemptId id, GpuId gpu, Instant _) -> gpus.back(id, gpu);
        case Change.ClockSet(Duration by) -> steps.clockSet(by);
        case Change.Setting c -> {}
        case Change.GpusSeen c -> {}
        case Change.Answered c -> {}
      }
    }
  }

  private static boolean endsWith(List<Change> changes, AttemptId id) {
    return changes.stream()
        .anyMatch(
            c ->
                (c instanceof Change.AttemptEnded e && e.id().equals(id))
                    || (c instanceof Change.AttemptUndone u && u.id().equals(id)));
  }

  // ---- starts ----

  /** Another engine has it, under its name, or has begun it. */
  private void moved(AttemptId id, Attempt attempt) {
    Violation.unless(
        started.containsKey(id) && !ended.contains(id), id + " moves and does not run");
    boolean named =
        attempt.where() instanceof Where.There(String _, String name)
            && (name.equals(id.toString()) || (name.isEmpty() && machine.begun(id).isPresent()));
    Violation.unless(named, id + " moves to " + attempt.where());
  }

  private void start(AttemptId id, Attempt attempt, Scene scene) {
    Instant before = started.put(id, machine.agenda().steady());
    Violation.unless(before == null, "attempt " + id + " was started before");
    Violation.unless(!told.isHeld(id.task()), id + " starts though it is held");
    Violation.unless(!told.isCancelled(id.task()), id + " starts though it was cancelled");
    Job job = find(scene, id);
    retries.started(id);
    if (attempt.where() instanceof Where.Here) {
      gets(retries.request(job, id.task()), attempt.allocation(), id);
    } else {
      Violation.unless(
          attempt.allocation().equals(Allocation.NONE), id + " holds what it does not use");
    }
    Instant begin = job.spec().terms().begin().orElse(Instant.MIN);
    Violation.unless(!begin.isAfter(scene.now()), id + " starts before its begin time");
    int limit = job.spec().tasks().limit();
    Violation.unless(limit == 0 || job.live().size() <= limit, id + " breaks the array's limit");
    new DependencyLaw(scene.history(), scene.unfinished(), scene.now()).check(job);
    limits(job.spec(), scene, id);
  }

  /** When, by a clock that nobody sets. */
  public Instant startedAt(AttemptId id) {
    return started.getOrDefault(id, Instant.MAX);
  }

  private static Job find(Scene scene, AttemptId id) {
    try {
      return scene.history().job(id.task().job()).orElseThrow();
    } catch (StoreException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void gets(Request request, Allocation given, AttemptId id) {
    boolean enough =
        given.gpus().size() == request.gpus().count()
            && given.cpus().size() == request.cpus()
            && given.memory() == request.memory()
            && given.gpus().stream().allMatch(grant -> fits(request.gpus(), grant));
    Violation.unless(enough, id + " asked for " + request + " and got " + given);
  }

  private static boolean fits(GpuRequest request, GpuGrant grant) {
    return switch (request) {
      case GpuRequest.None() -> false;
      case GpuRequest.Whole(int count) -> grant.whole();
      case GpuRequest.Shared shared ->
          grant.part().equals(shared.part())
              && (shared.memory() == 0 || grant.memory() == shared.memory());
    };
  }

  private static void limits(JobSpec spec, Scene scene, AttemptId id) {
    int ofUser = 0;
    int ofProject = 0;
    for (Job job : scene.unfinished()) {
      boolean sameUser = job.spec().owner().equals(spec.owner());
      boolean sameProject = job.spec().project().equals(spec.project());
      ofUser += sameUser ? job.live().size() : 0;
      ofProject += sameProject ? job.live().size() : 0;
    }
    int most = scene.limits().user(spec.owner().name()).tasks().orElse(Integer.MAX_VALUE);
    Violation.unless(ofUser <= most, id + " breaks the limit of its user");
    if (spec.project().isPresent()) {
      most = scene.limits().project(spec.project().get()).tasks().orElse(Integer.MAX_VALUE);
      Violation.unless(ofProject <= most, id + " breaks the limit of its project");
    }
  }

  // ---- ends ----

  private void end(AttemptId id, Attempt attempt, Outcome outcome) {
    Duration took = Duration.between(startedAt(id), machine.agenda().steady());
    Duration said = Duration.between(attempt.startedAt(), outcome.endedAt());
    boolean rebooted = !machine.boot().equals(boots.get(id));
    // Nobody knows what became of the clock while the machine was off.
    Violation.unless(
        !said.isNegative() && (rebooted || said.compareTo(took.plus(TURN)) <= 0),
        id + " took " + took + " and is said to have taken " + said);
    boolean gone = machine.process(id).map(p -> !p.alive()).orElse(true);
    Violation.unless(gone, id + " is said to have ended, and still has processes");
    boolean ran = machine.laws().ran(id);
    Exit truth = ran ? machine.exit(id) : Exit.OK;
    // After a reboot nobody need know that it never ran: it may count as killed by that.
    boolean lost = !ran && rebooted && outcome.exit().equals(machine.exit(id));
    boolean exitIsRight = outcome.exit().equals(truth) || lost;
    boolean right =
        switch (outcome.state()) {
          case COMPLETED -> ran && truth.ok() && exitIsRight;
          case FAILED -> ran ? !truth.ok() && exitIsRight : outcome.exit().equals(Exit.code(1));
          case OUT_OF_MEMORY -> ran && exitIsRight && machine.process(id).orElseThrow().outOfMemory;
          case CANCELLED ->
              exitIsRight
                  && (isRequeued(outcome)
                      ? told.requeueAsked(id.task())
                      : told.cancelAsked(id.task()));
          case TIMEOUT ->
              exitIsRight
                  && told.shortestLimit(id.task().job())
                      .map(limit -> took.plus(TURN).compareTo(limit) >= 0)
                      .orElse(false);
          case NODE_FAIL -> rebooted;
          case PENDING, RUNNING, COMPLETING -> false;
        };
    Violation.unless(right, id + " ended as " + outcome + ", the truth is " + truth);
  }

  /** Who was to be signalled a while before its time was up has been. */
  private void signalled(AttemptId id, Outcome outcome, Job job) {
    if (outcome.state() == JobState.TIMEOUT && job.spec().terms().timeLimit().isPresent()) {
      Instant start = startedAt(id);
      Instant end = start.plus(job.spec().terms().timeLimit().get());
      job.spec()
          .asked()
          .signal()
          .filter(signal -> signal.before().isPositive())
          .ifPresent(
              signal ->
                  Violation.unless(
                      machine.warned(id, start, end.minus(signal.before())),
                      id + " was not signalled in time"));
    }
  }

  static boolean isRequeued(Outcome outcome) {
    return outcome.note().startsWith("requeued by ");
  }
}
