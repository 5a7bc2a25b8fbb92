package gflow.e2e;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;

/**
 * Maps of many seeds, killed at random: a few in the tests, and more by {@code .ci/run}, which
 * calls it with the first seed and their number.
 */
final class KilledMaps {
  /** Each with a daemon of its own: most of the time of a seed is waiting. */
  private static final int AT_ONCE = 3;

  private KilledMaps() {}

  public static void main(String[] words) throws Exception {
    long first = Long.parseLong(words[0]);
    long count = Long.parseLong(words[1]);
    long start = System.nanoTime();
    List<String> wrong = run(LongStream.range(first, first + count).boxed().toList());
    wrong.forEach(System.out::println);
    System.out.printf(
        "%d maps killed at random and resumed: %d wrong, %d s%n",
        count, wrong.size(), (System.nanoTime() - start) / 1_000_000_000);
    System.exit(wrong.isEmpty() ? 0 : 1);
  }

  /** What is wrong, a text for each seed that failed. */
  static List<String> run(List<Long> seeds) throws Exception {
    var left = new ConcurrentLinkedQueue<>(seeds);
    try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
      var parts = new ArrayList<Future<List<String>>>();
      for (int part = 0; part < Math.min(AT_ONCE, seeds.size()); part++) {
        parts.add(threads.submit(() -> work(left)));
      }
      var wrong = new ArrayList<String>();
      for (var part : parts) {
        wrong.addAll(part.get());
      }
      return wrong;
    }
  }

  private static List<String> work(Queue<Long> seeds) {
    var wrong = new ArrayList<String>();
    try (var lab = new Lab()) {
      lab.up();
      for (var seed = seeds.poll(); seed != null; seed = seeds.poll()) {
        var map = new KilledMap(lab, seed);
        try {
          map.run();
        } catch (Exception | AssertionError e) {
          wrong.add(text(seed, map, e));
        }
      }
    }
    return wrong;
  }

  private static String text(long seed, KilledMap map, Throwable e) {
    return "seed %d: %s\n  %s\n  %s\n  again: make kills SEED=%d SEEDS=1"
        .formatted(seed, e, String.join("; ", map.story()), map.said(), seed);
  }
}
