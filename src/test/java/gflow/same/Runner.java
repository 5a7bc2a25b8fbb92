package gflow.same;

import gflow.same.Case.Lane;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** All cases in one world, as many at a time as do not disturb each other. */
final class Runner {
  private static final int BESIDE = 6;

  private final World world;
  private final SortedMap<String, Answer> answers = new ConcurrentSkipListMap<>();

  private Runner(World world) {
    this.world = world;
  }

  /** The answers by the names of their cases. */
  static SortedMap<String, Answer> run(World world, List<Case> cases) {
    var runner = new Runner(world);
    try (var beside = Executors.newFixedThreadPool(BESIDE);
        var gpus = Executors.newSingleThreadExecutor()) {
      runner.start(beside, cases, Lane.BESIDE);
      runner.start(gpus, cases, Lane.GPUS);
    }
    try (var alone = Executors.newSingleThreadExecutor()) {
      runner.start(alone, cases, Lane.ALONE);
    }
    return runner.answers;
  }

  private void start(ExecutorService threads, List<Case> cases, Lane lane) {
    for (Case one : cases) {
      if (one.lane() == lane) {
        threads.execute(() -> answer(one));
      }
    }
  }

  private void answer(Case one) {
    try {
      answers.put(one.name(), new Trial(world, one).answer());
    } catch (IOException | RuntimeException | AssertionError e) {
      answers.put(one.name(), Answer.parse("== broken\n" + e));
    }
  }
}
