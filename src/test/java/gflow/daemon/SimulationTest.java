package gflow.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.LongRuns;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Two hundred seeds in every build. {@code -Dsim.seed=N} replays one and prints what happened,
 * {@code -Dsim.seeds=5000} is for the night.
 */
@Execution(ExecutionMode.CONCURRENT)
class SimulationTest {
  private static final int REPLAYED = 5;

  static {
    // Of a full disk the loop warns each time, thousands of times here.
    java.util.logging.Logger.getLogger("gflow.loop").setLevel(java.util.logging.Level.OFF);
    java.util.logging.Logger.getLogger("gflow.bugs").setLevel(java.util.logging.Level.OFF);
  }

  @Test
  void the_laws_hold_for_every_seed() throws IOException {
    long began = System.nanoTime();
    var broken = new ArrayList<String>();
    int lent = 0;
    int steps = 0;
    for (long seed : seeds()) {
      var simulation = new Simulation(seed);
      try {
        simulation.run();
        lent += simulation.lent();
        steps += simulation.stepsRan();
      } catch (Throwable e) {
        broken.add("seed " + seed + " (-Dsim.seed=" + seed + " replays it): " + e);
        explain(simulation, e);
      }
    }
    LongRuns.note(
        "make sim SEEDS=" + seeds().size(),
        "%d seeds: %d steps, %d GPUs lent; %d wrong, %d s"
            .formatted(
                seeds().size(),
                steps,
                lent,
                broken.size(),
                Duration.ofNanos(System.nanoTime() - began).toSeconds()));
    assertThat(broken).isEmpty();
    assertThat(steps).as("steps that ran in all").isGreaterThan(seeds().size());
    assertThat(lent).as("GPUs that were lent in all").isGreaterThan(seeds().size());
  }

  @Test
  void the_same_seed_gives_the_same_log() {
    for (long seed : seeds().stream().limit(REPLAYED).toList()) {
      assertThat(log(seed)).as("seed %d", seed).isEqualTo(log(seed));
    }
  }

  private static List<String> log(long seed) {
    var simulation = new Simulation(seed);
    try {
      return simulation.run();
    } catch (Throwable e) {
      return simulation.log();
    }
  }

  private static List<Long> seeds() {
    Long one = Long.getLong("sim.seed");
    return one != null
        ? List.of(one)
        : LongStream.range(0, Long.getLong("sim.seeds", 200)).boxed().toList();
  }

  private static void explain(Simulation simulation, Throwable e) {
    if (Long.getLong("sim.seed") != null) {
      simulation.log().forEach(System.out::println);
      e.printStackTrace(System.out);
    }
  }
}
