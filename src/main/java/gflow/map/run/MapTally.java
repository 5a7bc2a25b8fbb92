package gflow.map.run;

import gflow.map.results.DoneItems;
import gflow.map.results.MapProgress;
import gflow.map.results.Result;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

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

  synchronized MapProgress progress(Instant now) {
    double wall = seconds(Duration.between(start, now));
    var gpus = new ArrayList<MapProgress.Gpu>();
    cards.forEach((name, card) -> gpus.add(card.progress(name, wall, now)));
    return new MapProgress(
        total,
        good + goodBefore,
        failed(),
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
}
