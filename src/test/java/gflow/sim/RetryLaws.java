package gflow.sim;

import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Failure;
import gflow.job.Job;
import gflow.job.Outcome;
import gflow.job.Request;
import gflow.job.RetryOn;
import gflow.job.RetryRules;
import gflow.job.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Who failed is tried again as often as it asked for, after a rest, and once for free. */
final class RetryLaws {
  private final SimMachine machine;
  private final Told told;
  private final Map<TaskId, Integer> counted = new TreeMap<>();
  private final Set<TaskId> alone = new TreeSet<>();
  private final Map<TaskId, Rest> rests = new TreeMap<>();

  /** Until then by the steady clock, unless it is released or the other clock is set. */
  private record Rest(Instant until, Instant clockSet, int releases) {}

  RetryLaws(SimMachine machine, Told told) {
    this.machine = machine;
    this.told = told;
  }

  /** What its next attempt gets. */
  Request request(Job job, TaskId task) {
    return alone.contains(task) ? job.spec().request().alone() : job.spec().request();
  }

  void started(AttemptId id) {
    Optional.ofNullable(rests.remove(id.task()))
        .filter(rest -> rest.clockSet().equals(machine.agenda().clockSetAt()))
        .filter(rest -> rest.releases() == told.releases(id.task().job()))
        .ifPresent(
            rest ->
                Violation.unless(
                    !machine.agenda().steady().isBefore(rest.until()),
                    id + " starts though it rests until " + rest.until()));
  }

  /** {@code judge}: nobody has changed the words in this moment. */
  void ended(AttemptId id, Attempt attempt, Outcome outcome, Job job, boolean judge) {
    TaskId task = id.task();
    Optional<Failure> cause = outcome.cause();
    boolean shared = attempt.allocation().gpus().stream().anyMatch(gpu -> !gpu.whole());
    boolean memory = cause.equals(Optional.of(Failure.GPU_MEMORY));
    boolean free = memory && shared && alone.add(task);
    boolean counts = cause.filter(c -> c.on() != RetryOn.NODE).isPresent() && !free;
    int tries = counted.merge(task, counts ? 1 : 0, Integer::sum);
    boolean asked = cause.filter(c -> job.spec().terms().retryOn().contains(c.on())).isPresent();
    boolean expected =
        CommitLaws.isRequeued(outcome)
            || free
            || (asked && !counts)
            || (asked && !memory && tries <= job.spec().terms().retries());
    int offset = task.offset();
    boolean waits = job.waiting().contains(offset) || job.held().contains(offset);
    boolean again = waits || job.live().containsKey(offset);
    Violation.unless(
        !judge || again == expected || job.dropped().tasks().contains(offset),
        id + " ended as " + outcome + " after " + tries + " tries, tried again: " + again);
    if (again && counts) {
      Duration pause = RetryRules.pause(tries);
      rests.put(
          task,
          new Rest(
              machine.agenda().steady().plus(pause).minusMillis(1),
              machine.agenda().clockSetAt(),
              told.releases(task.job())));
    }
  }
}
