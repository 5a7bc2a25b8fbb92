package gflow.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What is known of tasks that were tried before and are not over, by their offsets: the number of
 * the next attempt of those that wait, how many of their attempts do not count as retries, until
 * when they rest after a failure, and which want their GPUs for themselves.
 */
public record Tries(
    SortedMap<Integer, Integer> next,
    SortedMap<Integer, Integer> spared,
    SortedMap<Integer, Instant> resting,
    Ranges alone) {
  /** A hundred thousand jobs that wait share these. */
  public static final Tries NONE =
      new Tries(new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), Ranges.EMPTY);

  public Tries {
    next = Collections.unmodifiableSortedMap(next);
    spared = Collections.unmodifiableSortedMap(spared);
    resting = Collections.unmodifiableSortedMap(resting);
  }

  /** Those that may not start yet. */
  public Ranges resting(Instant now) {
    return resting.isEmpty()
        ? Ranges.EMPTY
        : Ranges.ofAll(
            resting.entrySet().stream()
                .filter(each -> rests(each.getValue(), now))
                .map(Map.Entry::getKey)
                .toList());
  }

  /** When the first of those that rest may start. */
  public Optional<Instant> nextAwake(Instant now) {
    return resting.values().stream()
        .filter(until -> rests(until, now))
        .min(Comparator.naturalOrder());
  }

  /** Nobody rests longer than the longest pause, whatever became of the clock. */
  private static boolean rests(Instant until, Instant now) {
    Duration left = Duration.between(now, until);
    return left.isPositive() && left.compareTo(RetryRules.LONGEST_PAUSE) <= 0;
  }

  /** That task waits for the attempt with that number. */
  Tries waits(int task, int attempt) {
    Tries begun = begins(task);
    return attempt > 1 ? new Tries(with(next, task, attempt), spared, begun.resting, alone) : begun;
  }

  /** What it waited for has come. */
  Tries begins(int task) {
    return next.containsKey(task) || resting.containsKey(task)
        ? new Tries(without(next, task), spared, without(resting, task), alone)
        : this;
  }

  /** Those are over. */
  Tries over(Ranges tasks) {
    return new Tries(
        outside(next, tasks), outside(spared, tasks), outside(resting, tasks), alone.minus(tasks));
  }

  /** How the task is tried again. */
  Tries again(int task, RetryRules.Again how) {
    return new Tries(
        next,
        how.spared() ? with(spared, task, spared.getOrDefault(task, 0) + 1) : spared,
        how.notBefore().map(at -> with(resting, task, at)).orElse(resting),
        how.alone() ? alone.with(task) : alone);
  }

  /** Those need not rest any longer. */
  Tries awake(Ranges tasks) {
    return new Tries(next, spared, outside(resting, tasks), alone);
  }

  /** The same on a clock that was set on by so much. */
  Tries later(Duration by) {
    var later = new TreeMap<>(resting);
    later.replaceAll((_, at) -> at.plus(by));
    return new Tries(next, spared, later, alone);
  }

  private static <T> SortedMap<Integer, T> with(SortedMap<Integer, T> map, int task, T value) {
    var more = new TreeMap<>(map);
    more.put(task, value);
    return more;
  }

  private static <T> SortedMap<Integer, T> without(SortedMap<Integer, T> map, int task) {
    return map.containsKey(task) ? outside(map, Ranges.of(task, task)) : map;
  }

  private static <T> SortedMap<Integer, T> outside(SortedMap<Integer, T> map, Ranges tasks) {
    if (map.isEmpty()) {
      return map;
    }
    var rest = new TreeMap<>(map);
    rest.keySet().removeIf(tasks::contains);
    return rest;
  }
}
