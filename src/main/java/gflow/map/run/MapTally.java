package gflow.map.run;

import gflow.map.results.DoneItems;
import gflow.map.results.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** How far a map is, and what it came to. The runner counts, others read. */
final class MapTally {
  private final int total;
  private final Instant start;
  private int good;
  private int failed;
  private int running;
  private int goodBefore;
  private int failedBefore;
  private Duration work = Duration.ZERO;
  private final SortedMap<String, Card> cards = new TreeMap<>(MapTally::byNumber);

  /** What one card did, or all slots where there is none. */
  private static final class Card {
    private int items;
    private int running;
    private Duration busy = Duration.ZERO;
    private Instant since = Instant.EPOCH;

    /** How long it had work: one item or more. */
    Duration busy(Instant now) {
      return running > 0 ? busy.plus(Duration.between(since, now)) : busy;
    }

    void change(int more, Instant now) {
      busy = busy(now);
      since = now;
      running += more;
    }
  }

  MapTally(int total, DoneItems before, Instant start) {
    this.total = total;
    this.start = start;
    goodBefore = before.good().cardinality();
    failedBefore = before.failed().cardinality();
  }

  private static int byNumber(String a, String b) {
    return a.length() == b.length() ? a.compareTo(b) : Integer.compare(a.length(), b.length());
  }

  synchronized void began(String gpu, Instant now) {
    running++;
    card(gpu).change(1, now);
  }

  synchronized void tried(String gpu, Instant now) {
    running--;
    card(gpu).change(-1, now);
  }

  synchronized void ended(Result result) {
    if (result.outcome().good()) {
      good++;
    } else {
      failed++;
    }
    work = work.plus(result.took());
    card(result.gpu()).items++;
  }

  private Card card(String gpu) {
    return cards.computeIfAbsent(gpu, _ -> new Card());
  }

  synchronized int done() {
    return good + failed + goodBefore + failedBefore;
  }

  synchronized int failed() {
    return failed + failedBefore;
  }

  int total() {
    return total;
  }

  /** {@code 812/2000 done, 3 failed}. */
  synchronized String text() {
    return done() + "/" + total + " done" + (failed() == 0 ? "" : ", " + failed() + " failed");
  }

  /** For {@code progress.json} and {@code summary.json}: the times are of this run. */
  synchronized Map<String, @Nullable Object> tree(Instant now) {
    double wall = seconds(Duration.between(start, now));
    var tree = new LinkedHashMap<String, @Nullable Object>();
    tree.put("items", total);
    tree.put("ok", good + goodBefore);
    tree.put("failed", failed());
    tree.put("running", running);
    tree.put("start", start.toString());
    tree.put("seconds", wall);
    tree.put("items_per_second", wall == 0 ? 0.0 : rounded((good + failed) / wall));
    tree.put("item_seconds", seconds(work));
    tree.put("speed_up", wall == 0 ? 0.0 : rounded(seconds(work) / wall));
    tree.put("gpus", cards(wall, now));
    return tree;
  }

  private List<Map<String, @Nullable Object>> cards(double wall, Instant now) {
    var list = new ArrayList<Map<String, @Nullable Object>>();
    cards.forEach(
        (gpu, card) -> {
          var one = new LinkedHashMap<String, @Nullable Object>();
          one.put("gpu", gpu.isEmpty() ? null : gpu);
          one.put("items", card.items);
          one.put("running", card.running);
          one.put("busy_seconds", seconds(card.busy(now)));
          one.put("utilisation", wall == 0 ? 0.0 : rounded(seconds(card.busy(now)) / wall));
          list.add(one);
        });
    return list;
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1000.0;
  }

  private static double rounded(double number) {
    return Math.round(number * 1000) / 1000.0;
  }
}
