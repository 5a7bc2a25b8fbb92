package gflow.plan;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Allocation;
import gflow.job.JobId;
import gflow.job.Ranges;
import gflow.plan.Plan.Start;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for every plan, whatever the machine and the queue. */
class PlannerLawsTest {
  static LongStream seeds() {
    return LongStream.range(0, 300);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void nothing_is_given_twice_and_everybody_gets_what_they_asked_for(long seed) {
    Scene scene = new RandomScene(seed).busy();
    Plan plan = scene.plan();

    var held = new ArrayList<Allocation>();
    scene.holdings.forEach(h -> held.add(h.allocation()));
    scene.holdings.forEach(h -> held.add(lent(h)));
    for (Start start : plan.starts()) {
      Candidate c = scene.book.get(start.job()).orElseThrow();
      Books.honours(scene.machine(), c.request(), start.allocation());
      assertThat(count(plan, c.job())).isLessThanOrEqualTo(c.tasks());
      held.add(start.allocation());
    }
    Books.balance(scene.machine(), held);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void the_same_view_gives_the_same_plan_however_the_book_was_filled(long seed) {
    Scene scene = new RandomScene(seed).busy();
    Plan plan = scene.plan();
    assertThat(scene.plan()).isEqualTo(plan);

    List<Candidate> all = candidates(scene);
    Collections.shuffle(all, new Random(seed));
    for (Candidate c : all) {
      scene.book.put(Scene.priority(99, c));
      scene.book.put(c);
    }
    assertThat(scene.plan()).isEqualTo(plan);
  }

  /** And the first that has to wait fits at its time, if all run to their limits. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void everybody_starts_in_turn_waits_only_for_what_is_missing_and_delays_nobody_before(long seed) {
    Scene scene = new RandomScene(seed).busy();

    judged(scene, scene.plan());
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void what_is_said_of_each_that_waits_is_true(long seed) {
    Scene scene = new RandomScene(seed).busy();
    var explainer = Planner.explain(scene.view());
    assertThat(explainer.plan()).isEqualTo(scene.plan());

    PlanOracle oracle = judged(scene, explainer.plan());
    candidates(scene).forEach(c -> oracle.judge(c, explainer.why(c)));
  }

  private static PlanOracle judged(Scene scene, Plan plan) {
    return new PlanOracle(scene, candidates(scene), plan).replay();
  }

  private static Allocation lent(Holding holding) {
    return new Allocation(holding.lent(), Ranges.EMPTY, 0);
  }

  private static List<Candidate> candidates(Scene scene) {
    var all = new ArrayList<Candidate>();
    IntStream.range(100, 140).forEach(i -> scene.book.get(new JobId(i)).ifPresent(all::add));
    return all;
  }

  private static long count(Plan plan, JobId job) {
    return plan.starts().stream().filter(s -> s.job().equals(job)).count();
  }
}
