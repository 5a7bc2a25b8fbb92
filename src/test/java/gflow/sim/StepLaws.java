package gflow.sim;

import gflow.job.Allocation.GpuGrant;
import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Exit;
import gflow.job.GpuId;
import gflow.job.Ranges;
import gflow.job.Step;
import gflow.job.StepId;
import gflow.sim.SimSteps.SimParent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Of steps: a part is inside its job and nobody else's, and each ends once, as it did. */
final class StepLaws {
  /** The grace time of the simulated daemons, less what a signal may take. */
  private static final Duration LEAST_GRACE = Duration.ofSeconds(9);

  private final SimSteps machine;
  private final Map<AttemptId, Attempt> attempts = new TreeMap<>();
  private final Map<StepId, Step> live = new TreeMap<>();
  private final TreeSet<StepId> known = new TreeSet<>();

  StepLaws(SimSteps machine) {
    this.machine = machine;
  }

  void attemptStarted(AttemptId id, Attempt attempt) {
    attempts.put(id, attempt);
  }

  void attemptOver(AttemptId id) {
    attempts.remove(id);
    Violation.unless(of(id).isEmpty(), id + " is over, and these steps are not: " + of(id));
  }

  void started(Step step) {
    Attempt attempt = attempts.get(step.id().attempt());
    Violation.unless(attempt != null, step.id() + " starts in an attempt that does not run");
    Violation.unless(known.add(step.id()), step.id() + " starts twice");
    boolean asked = live.values().stream().noneMatch(other -> other.parent().equals(step.parent()));
    Violation.unless(asked, step.id() + " is the second step of " + step.parent());
    Violation.unless(
        attempt.allocation().gpus().containsAll(step.share().gpus())
            && step.share().cpuIds().minus(attempt.allocation().cpus()).isEmpty()
            && step.share().memory() <= attempt.allocation().memory(),
        step + " has more than its job: " + attempt.allocation());
    live.put(step.id(), step);
    apart(of(step.id().attempt()));
    long memory = of(step.id().attempt()).stream().mapToLong(s -> s.share().memory()).sum();
    Violation.unless(memory <= attempt.allocation().memory(), "too much memory with " + step);
  }

  /** {@code withAttempt}: the attempt ends in the same commit, and all that ran in it. */
  void ended(StepId id, Step.End end, boolean withAttempt) {
    Step step = live.remove(id);
    Violation.unless(step != null, id + " ended twice, or never began");
    SimParent parent = machine.find(step.parent()).orElseThrow();
    boolean killed = withAttempt && end.exit().equals(Exit.signal(9));
    Violation.unless(
        killed || (!parent.alive() && end.exit().equals(parent.said())),
        id + " is said to have ended as " + end.exit() + ", the truth is " + parent.said());
    Violation.unless(!end.at().isBefore(step.startedAt()), id + " ended before it began");
  }

  void clockSet(Duration by) {
    live.replaceAll((_, step) -> step.later(by));
  }

  private List<Step> of(AttemptId id) {
    return live.values().stream().filter(s -> s.id().attempt().equals(id)).toList();
  }

  /** Of those that do not overlap no two have the same CPU or GPU. */
  static void apart(List<Step> steps) {
    Ranges cpus = Ranges.EMPTY;
    var gpus = new TreeSet<GpuId>();
    for (Step step : steps) {
      if (!step.overlap()) {
        Violation.unless(
            cpus.intersect(step.share().cpuIds()).isEmpty(), () -> "a CPU has two steps: " + steps);
        cpus = cpus.union(step.share().cpuIds());
        for (GpuGrant grant : step.share().gpus()) {
          Violation.unless(gpus.add(grant.gpu()), () -> "a GPU has two steps: " + steps);
        }
      }
    }
  }

  /** Whoever is killed had its time to end in peace. */
  static void killed(SimParent parent, Instant now) {
    Violation.unless(
        parent.termAt.filter(at -> !at.plus(LEAST_GRACE).isAfter(now)).isPresent(),
        "the step of " + parent.process + " is killed at " + now + ", SIGTERM: " + parent.termAt);
  }
}
