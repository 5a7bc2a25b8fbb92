package gflow.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A job and how far its tasks are. Waiting tasks are a set of offsets, so that an array of a
 * million is one small object; only tasks that run now have a state of their own, and those that
 * ended are in the tally (and in the history).
 */
public record Job(
    JobId id,
    JobSpec spec,
    Instant submittedAt,
    Ranges waiting,
    Ranges held,
    Tries tries,
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

  /** A hundred thousand jobs that wait share this. */
  private static final SortedMap<Integer, TaskState> NONE_LIVE =
      Collections.unmodifiableSortedMap(new TreeMap<>());

  public Job {
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
        Tries.NONE,
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
    return state != null ? state : new TaskState.Pending(nextAttempt(offset));
  }

  public boolean someRest() {
    return !tries.resting().isEmpty();
  }

  public int nextAttempt(int offset) {
    return tries.next().getOrDefault(offset, 1);
  }

  /**
   * The tasks whose turn it is among those that wait, all of them with the same {@link #request}:
   * none that rests after a failure, and those that want their GPUs for themselves after all
   * others.
   */
  public Ranges turn(Instant now) {
    Ranges ready = waiting.minus(tries.resting(now));
    Ranges others = ready.minus(tries.alone());
    return others.isEmpty() ? ready : others;
  }

  /** What each of those in turn gets. */
  public Request request(Instant now) {
    return turn(now).meets(tries.alone()) ? spec.request().alone() : spec.request();
  }

  /** How many more tasks may start now under the job's own limit. */
  public int startable(Instant now) {
    int ready = turn(now).size();
    int limit = spec.tasks().limit();
    return limit == 0 ? ready : Math.min(ready, Math.max(0, limit - live.size()));
  }

  public Job withLive(SortedMap<Integer, TaskState> states) {
    return new Job(id, spec, submittedAt, waiting, held, tries, states, dropped, tally);
  }

  private Job withTries(Tries changed) {
    return new Job(id, spec, submittedAt, waiting, held, changed, live, dropped, tally);
  }

  /** The same on a clock that was set on by so much: what runs began so much later by it. */
  public Job later(Duration by) {
    var states = new TreeMap<>(live);
    states.replaceAll((_, state) -> state.later(by));
    return withLive(states).withTries(tries.later(by));
  }

  public Job withSpec(JobSpec changed) {
    return new Job(id, changed, submittedAt, waiting, held, tries, live, dropped, tally);
  }

  /** Moves those of the given tasks that wait into the held ones. */
  public Job hold(Ranges offsets) {
    Ranges moved = waiting.intersect(offsets);
    return with(waiting.minus(moved), held.union(moved));
  }

  /** They wait no longer than others: neither held, nor at rest after a failure. */
  public Job release(Ranges offsets) {
    Ranges moved = held.intersect(offsets);
    return with(waiting.union(moved), held.minus(moved)).withTries(tries.awake(offsets));
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
    var nowTally =
        new Tally(
            tally.completed(), tally.failed().union(gone), tally.worstStatus(), tally.lastStart());
    return new Job(
        id,
        spec,
        submittedAt,
        waiting.minus(gone),
        held.minus(gone),
        tries.over(gone),
        live,
        new Dropped(dropped.tasks().union(gone), at, why),
        nowTally);
  }

  private Job with(Ranges nowWaiting, Ranges nowHeld) {
    return new Job(id, spec, submittedAt, nowWaiting, nowHeld, tries, live, dropped, tally);
  }

  /** The task is tried again in that way. */
  public Job again(int offset, RetryRules.Again how) {
    Job again = withTries(tries.again(offset, how));
    return how.held() ? again.hold(Ranges.of(offset, offset)) : again;
  }

  /** Puts a task into the state that its lifecycle gave it. */
  public Job with(int offset, TaskState state) {
    Tries nowTries = tries.begins(offset);
    var running = new TreeMap<>(live);
    Ranges nowWaiting = waiting.without(offset);
    Ranges nowHeld = held.without(offset);
    Tally nowTally = tally;
    running.remove(offset);
    switch (state) {
      case TaskState.Pending(int next) -> {
        nowWaiting = nowWaiting.with(offset);
        nowTries = tries.waits(offset, next);
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
        nowTries = tries.over(Ranges.of(offset, offset));
      }
    }
    return new Job(
        id, spec, submittedAt, nowWaiting, nowHeld, nowTries, running, dropped, nowTally);
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
  public Lifecycle.Rules rules(
      int offset, Instant now, Instant killAt, Lifecycle.GpuCompany company) {
    int attempt = Attempt.of(state(offset)).map(Attempt::number).orElse(0);
    int counted = attempt - tries.spared().getOrDefault(offset, 0);
    boolean free = !tries.alone().contains(offset) && !spec.asked().has(RequestedOptions.ONCE);
    var retries = new RetryRules(counted, spec.terms().retries(), spec.terms().retryOn(), free);
    return new Lifecycle.Rules(now, killAt, retries, company);
  }
}
