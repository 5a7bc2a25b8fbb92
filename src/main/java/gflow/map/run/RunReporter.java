package gflow.map.run;

import gflow.map.items.Item;
import gflow.map.results.DoneItems;
import gflow.map.results.ItemOutcome;
import gflow.map.results.MapProgress;
import gflow.map.results.Result;
import gflow.map.results.Try;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Counts what the runner does, says what went wrong, and whether all went well in the end. The
 * runner tells, others read.
 */
final class RunReporter implements Runner.Listener {
  private final int total;
  private final DoneItems before;
  private final RunLog log;
  private final InstantSource clock;
  private final MapRun.Listener listener;
  private final Consumer<String> gpuIsLeft;
  private final Instant start;
  private final SortedMap<String, GpuCount> counts = new TreeMap<>(RunReporter::byNumber);
  private int good;
  private int failed;
  private int running;
  private Duration work = Duration.ZERO;
  private volatile String trouble = "";
  private boolean lost;

  /** What one GPU did, or all slots where there is none. */
  private static final class GpuCount {
    private int items;
    private int running;
    private Duration busy = Duration.ZERO;
    private Instant since = Instant.EPOCH;

    /** How long it had work: one item or more. */
    Duration busy(Instant now) {
      return running > 0 ? busy.plus(Duration.between(since, now)) : busy;
    }

    MapProgress.Gpu progress(String name, double wall, Instant now) {
      double had = seconds(busy(now));
      Optional<String> gpu = name.isEmpty() ? Optional.empty() : Optional.of(name);
      return new MapProgress.Gpu(gpu, items, running, had, ratio(had, wall));
    }

    void change(int more, Instant now) {
      busy = busy(now);
      since = now;
      running += more;
    }
  }

  /** {@code before}: what earlier runs did of all of them. */
  RunReporter(
      int total,
      DoneItems before,
      RunLog log,
      InstantSource clock,
      MapRun.Listener listener,
      Consumer<String> gpuIsLeft) {
    this.total = total;
    this.before = before;
    this.log = log;
    this.clock = clock;
    this.listener = listener;
    this.gpuIsLeft = gpuIsLeft;
    start = clock.instant();
  }

  private static int byNumber(String a, String b) {
    return a.length() == b.length() ? a.compareTo(b) : Integer.compare(a.length(), b.length());
  }

  // ---- what others read ----

  /** {@code 812/2000 done, 3 failed}, with what hinders it. */
  String progress() {
    MapProgress now = counted();
    String failures = now.failed() == 0 ? "" : ", " + now.failed() + " failed";
    return now.done() + "/" + total + " done" + failures + trouble;
  }

  boolean allWell() {
    return counted().ok() == total && !lost;
  }

  synchronized MapProgress counted() {
    Instant now = clock.instant();
    double wall = seconds(Duration.between(start, now));
    var gpus = new ArrayList<MapProgress.Gpu>();
    counts.forEach((name, count) -> gpus.add(count.progress(name, wall, now)));
    return new MapProgress(
        total,
        good + before.good().cardinality(),
        failed + before.failed().cardinality(),
        running,
        start,
        wall,
        ratio(good + failed, wall),
        seconds(work),
        ratio(seconds(work), wall),
        gpus);
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1000.0;
  }

  private static double ratio(double what, double wall) {
    return wall == 0 ? 0 : Math.round(what / wall * 1000) / 1000.0;
  }

  // ---- what the runner tells ----

  @Override
  public synchronized void began(Try work, Slot slot) {
    change(slot, 1);
  }

  @Override
  public synchronized void tried(Executor.Done done, Slot slot) {
    change(slot, -1);
  }

  private void change(Slot slot, int more) {
    running += more;
    count(slot.gpu()).change(more, clock.instant());
  }

  private GpuCount count(String gpu) {
    return counts.computeIfAbsent(gpu, _ -> new GpuCount());
  }

  @Override
  public void again(Try work, ItemOutcome outcome, Instant at) {
    log.say(
        "item %d (%s), attempt %d: %s; again"
            .formatted(work.item().index(), work.item().text(), work.number(), outcome.cause()));
  }

  @Override
  public synchronized void ended(Result result) {
    work = work.plus(result.took());
    count(result.gpu()).items++;
    if (result.outcome().good()) {
      good++;
    } else {
      failed++;
      Item item = result.last().item();
      log.say(
          "item %d (%s) failed: %s".formatted(item.index(), item.text(), result.outcome().cause()));
    }
  }

  @Override
  public void disk(Optional<String> problem) {
    listener.problem(
        problem
            .map(why -> "results cannot be written (" + why + "); nothing begins until they can")
            .orElse("results can be written again"));
    trouble = problem.map(_ -> "; no room for results").orElse("");
  }

  @Override
  public void lost(long results) {
    lost = true;
    listener.problem(
        "%d results could not be written; --resume does their items again".formatted(results));
  }

  @Override
  public void left(String gpu) {
    gpuIsLeft.accept(gpu);
  }
}
