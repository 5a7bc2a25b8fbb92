package gflow.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A job and how far its tasks are. Waiting tasks are a set of offsets, so that an array of a
 * million is one small object; only tasks that run now have a state of their own, and those that
 * ended are in the tally (and in the history). {@code spared} has, for tasks that are not over, how
 * many of their attempts do not count as retries.
 */
public record Job(
    JobId id,
    JobSpec spec,
    Instant submittedAt,
    Ranges waiting,
    Ranges held,
    SortedMap<Integer, Integer> nextAttempts,
    SortedMap<Integer, Integer> spared,
    SortedMap<Integer, TaskState> live,
    Dropped dropped,
    Tally tally) {

  /** How many tasks ended well, which did not, the highest exit status, and the last start. */
  public record Tally(int completed, Ranges failed, int worstStatus, Instant lastStart) {
    public static final Tally NONE = new Tally(0, Ranges.EMPTY, 0, Instant.EPOCH);

    public int ended() {
      return completed + failed.size();
    }
  }

  /**
   * The tasks that were cancelled while they waited, with the time and the words of the last such
   * cancel.
   */
  public record Dropped(Ranges tasks, Instant at, String why) {
    public static final Dropped NONE = new Dropped(Ranges.EMPTY, Instant.EPOCH, "");
  }

  /** A hundred thousand jobs that wait share these. */
  private static final SortedMap<Integer, Integer> NO_ATTEMPTS =
      Collections.unmodifiableSortedMap(new TreeMap<>());

  private static final SortedMap<Integer, TaskState> NONE_LIVE =
      Collections.unmodifiableSortedMap(new TreeMap<>());

  public Job {
    nextAttempts = Collections.unmodifiableSortedMap(nextAttempts);
    spared = Collections.unmodifiableSortedMap(spared);
    live = Collections.unmodifiableSortedMap(live);
  }

  public static Job submitted(JobId id, JobSpec spec, Instant at) {
    Ranges all = Ranges.firstN(spec.tasks().count());
    return new Job(
        id,
        spec,
        at,
        spec.terms().hold() ? Ranges.EMPTY : all,
        spec.terms().hold() ? all : Ranges.EMPTY,
        NO_ATTEMPTS,
        NO_ATTEMPTS,
        NONE_LIVE,
        Dropped.NONE,
        Tally.NONE);
  }

  public TaskNumbers numbers() {
    return new TaskNumbers(id, spec.tasks().base(), spec.tasks().count());
  }

  public TaskId task(int offset) {
    return new TaskId(id, offset, spec.tasks().base());
  }

  public boolean over() {
    return waiting.isEmpty() && held.isEmpty() && live.isEmpty();
  }

  /** All that has not started yet has started by now, or never will. */
  public boolean allStarted() {
    return waiting.isEmpty() && held.isEmpty();
  }

  /** The state of a task that has not ended. */
  public TaskState state(int offset) {
    TaskState state = live.get(offset);
    return state != null ? state : new TaskState.Pending(nextAttempts.getOrDefault(offset, 1));
  }

  /** How many more tasks may start now under the job's own limit. */
  public int startable() {
    int limit = spec.tasks().limit();
    return limit == 0 ? waiting.size() : Math.min(waiting.size(), Math.max(0, limit - live.size()));
  }

  public Job withLive(SortedMap<Integer, TaskState> states) {
    return new Job(
        id, spec, submittedAt, waiting, held, nextAttempts, spared, states, dropped, tally);
  }

  /** The same on a clock that was set on by so much: what runs began so much later by it. */
  public Job later(Duration by) {
    var states = new TreeMap<>(live);
    states.replaceAll((_, state) -> state.later(by));
    return withLive(states);
  }

  public Job withSpec(JobSpec changed) {
    return new Job(
        id, changed, submittedAt, waiting, held, nextAttempts, spared, live, dropped, tally);
  }

  /** Moves those of the given tasks that wait into the held ones. */
  public Job hold(Ranges offsets) {
    Ranges moved = waiting.intersect(offsets);
    return with(waiting.minus(moved), held.union(moved));
  }

  public Job release(Ranges offsets) {
    Ranges moved = held.intersect(offsets);
    return with(waiting.union(moved), held.minus(moved));
  }

  /**
   * Cancels those of the given tasks that wait or are held. They get no row of their own, so that
   * cancelling a million of them is one small change.
   */
  public Job drop(Ranges offsets, Instant at, String why) {
    Ranges gone = waiting.union(held).intersect(offsets);
    if (gone.isEmpty()) {
      return this;
    }
    var attempts = new TreeMap<>(nextAttempts);
    attempts.keySet().removeIf(gone::contains);
    var stillSpared = new TreeMap<>(spared);
    stillSpared.keySet().removeIf(gone::contains);
    var nowTally =
        new Tally(
            tally.completed(), tally.failed().union(gone), tally.worstStatus(), tally.lastStart());
    return new Job(
        id,
        spec,
        submittedAt,
        waiting.minus(gone),
        held.minus(gone),
        attempts,
        stillSpared,
        live,
        new Dropped(dropped.tasks().union(gone), at, why),
        nowTally);
  }

  private Job with(Ranges nowWaiting, Ranges nowHeld) {
    return new Job(
        id, spec, submittedAt, nowWaiting, nowHeld, nextAttempts, spared, live, dropped, tally);
  }

  /** The task's attempt did not fail, though it must be made again: that is no retry. */
  public Job spare(int offset) {
    var more = new TreeMap<>(spared);
    more.merge(offset, 1, Integer::sum);
    return new Job(id, spec, submittedAt, waiting, held, nextAttempts, more, live, dropped, tally);
  }

  /** Puts a task into the state that its lifecycle gave it. */
  public Job with(int offset, TaskState state) {
    var attempts = new TreeMap<>(nextAttempts);
    var nowSpared = spared;
    var running = new TreeMap<>(live);
    Ranges nowWaiting = waiting.without(offset);
    Ranges nowHeld = held.without(offset);
    Tally nowTally = tally;
    running.remove(offset);
    attempts.remove(offset);
    switch (state) {
      case TaskState.Pending(int next) -> {
        nowWaiting = nowWaiting.with(offset);
        if (next > 1) {
          attempts.put(offset, next);
        }
      }
      case TaskState.Starting s -> {
        running.put(offset, s);
        nowTally =
            new Tally(
                tally.completed(), tally.failed(), tally.worstStatus(), s.attempt().startedAt());
      }
      case TaskState.Queued q -> running.put(offset, q);
      case TaskState.Running r -> running.put(offset, r);
      case TaskState.Completing c -> running.put(offset, c);
      case TaskState.Ended(var attempt, Outcome outcome) -> {
        nowTally = count(offset, outcome);
        nowSpared = without(spared, offset);
      }
    }
    return new Job(
        id,
        spec,
        submittedAt,
        nowWaiting,
        nowHeld,
        attempts,
        nowSpared,
        running,
        dropped,
        nowTally);
  }

  private static SortedMap<Integer, Integer> without(SortedMap<Integer, Integer> map, int key) {
    if (!map.containsKey(key)) {
      return map;
    }
    var rest = new TreeMap<>(map);
    rest.remove(key);
    return rest;
  }

  private Tally count(int offset, Outcome outcome) {
    boolean ok = outcome.state() == JobState.COMPLETED;
    return new Tally(
        tally.completed() + (ok ? 1 : 0),
        ok ? tally.failed() : tally.failed().with(offset),
        Math.max(tally.worstStatus(), ok ? 0 : Math.max(1, outcome.exit().status())),
        tally.lastStart());
  }

  /** What the lifecycle of that task depends on besides its state. */
  public Lifecycle.Rules rules(int offset, Instant now, Instant killAt) {
    int attempt = Attempt.of(state(offset)).map(Attempt::number).orElse(0);
    int tries = attempt - spared.getOrDefault(offset, 0);
    boolean retry = tries <= spec.terms().retries();
    return new Lifecycle.Rules(now, killAt, retry, spec.terms().requeue());
  }
}
