package gflow.map.run;

import gflow.map.results.ItemOutcome;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The checks of one slot's values. They run beside the worker, which has its next item meanwhile,
 * and only so many at once: where they take longer than the items, the worker waits for them.
 */
final class ValueChecks {
  private static final int AT_ONCE = 4;

  private final SlotTools tools;
  private final Slot slot;
  private final Runnable bell;
  private final Deque<Executor.Done> waiting = new ArrayDeque<>();
  private final List<ValueCheck> running = new ArrayList<>();
  private boolean over;

  ValueChecks(SlotTools tools, Slot slot, Runnable bell) {
    this.tools = tools;
    this.slot = slot;
    this.bell = bell;
  }

  void add(Executor.Done done) {
    waiting.add(done);
    start();
  }

  private void start() {
    while (!over && running.size() < AT_ONCE && !waiting.isEmpty()) {
      var check = new ValueCheck(tools, waiting.remove());
      running.add(check);
      check.start(slot, bell);
    }
  }

  /** Those that are through since it was last asked. */
  List<Executor.Done> ended() {
    var ended = new ArrayList<Executor.Done>();
    running.removeIf(
        check -> {
          Optional<Executor.Done> done = check.ended();
          done.ifPresent(ended::add);
          return done.isPresent();
        });
    if (over) {
      waiting.forEach(done -> ended.add(done.with(new ItemOutcome.Abandoned())));
      waiting.clear();
    }
    start();
    return ended;
  }

  boolean isEmpty() {
    return running.isEmpty() && waiting.isEmpty();
  }

  boolean isFull() {
    return running.size() + waiting.size() >= AT_ONCE;
  }

  Optional<Instant> alarm() {
    return running.stream().flatMap(check -> check.alarm().stream()).min(Instant::compareTo);
  }

  /** All of it is given up, also what comes from now on: it is for the next run. */
  void abandon() {
    over = true;
    running.forEach(ValueCheck::abandon);
    bell.run();
  }
}
