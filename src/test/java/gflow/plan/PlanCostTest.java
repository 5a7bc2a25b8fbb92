package gflow.plan;

import static gflow.plan.Scene.ANN;
import static gflow.plan.Scene.BOB;
import static gflow.plan.Scene.by;
import static gflow.plan.Scene.limit;
import static gflow.plan.Scene.priority;
import static gflow.plan.Scene.wants;
import static gflow.plan.Scene.wantsCpus;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Ranges;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** A plan costs the same with 100 and with 100,000 waiting jobs; counted, not timed. */
class PlanCostTest {
  private static final int MANY = 100_000;

  @Test
  void alike_jobs_are_looked_at_once() {
    assertThat(looked(free(1), 100, i -> wants(i, 1))).isEqualTo(2);
    assertThat(looked(free(1), MANY, i -> wants(i, 1))).isEqualTo(2);
  }

  @Test
  void two_owners_with_several_shapes_each_cost_a_look_per_shape() {
    IntFunction<Candidate> mix =
        i -> by(i % 2 == 0 ? ANN : BOB, priority(10 + i % 3, wants(i, 1 + i % 4)));

    assertThat(looked(free(1), MANY, mix)).isEqualTo(looked(free(1), 100, mix)).isLessThan(30);
  }

  @Test
  void nothing_free_ends_the_walk_at_the_first_who_waits() {
    Scene full = free(0);
    full.cpus = Ranges.EMPTY;

    assertThat(looked(full, MANY, i -> limit(Duration.ofSeconds(i), wants(i, 1)))).isEqualTo(2);
  }

  @Test
  void jobs_without_gpus_are_found_behind_any_number_that_need_some() {
    IntFunction<Candidate> lastOne =
        i -> i == MANY ? wantsCpus(i, 1) : limit(Duration.ofSeconds(i), wants(i, 1));
    Scene scene = free(0);

    assertThat(looked(scene, MANY, lastOne)).isEqualTo(3);
    assertThat(scene.starts()).containsExactly(MANY + ":[]");
  }

  @Test
  void a_fixed_set_that_leaves_nothing_ends_the_walk_too() {
    Scene scene = free(1);
    scene.cpus = Ranges.EMPTY;

    assertThat(looked(scene, MANY, i -> limit(Duration.ofSeconds(i), wants(i, 2)))).isEqualTo(2);
  }

  @Test
  void a_user_at_the_task_limit_costs_one_look() {
    Scene scene = free(1);
    scene.limits = new UsageLimits(Caps.ofTasks(1), new TreeMap<>(), new TreeMap<>());

    assertThat(looked(scene, MANY, i -> limit(Duration.ofSeconds(i), wants(i, 1)))).isEqualTo(1);
  }

  @Test
  void where_no_two_are_alike_the_depth_is_bounded() {
    Scene scene = Scene.of(2).runs(900_000, ANN, Optional.of(Duration.ZERO), 0);

    assertThat(looked(scene, MANY, i -> limit(Duration.ofSeconds(i), wants(i, 2))))
        .isEqualTo(PlanningPass.DEPTH);
  }

  /** Four GPUs of which so many are free, the others endlessly held. */
  private static Scene free(int count) {
    Scene scene = Scene.of(4);
    for (int i = count; i < 4; i++) {
      scene.runs(900_000 + i, ANN, Optional.empty(), i);
    }
    return scene;
  }

  private static int looked(Scene scene, int waiting, IntFunction<Candidate> candidate) {
    for (int i = 1; i <= waiting; i++) {
      scene.book.put(candidate.apply(i));
    }
    return new PlanningPass(scene.view()).looked();
  }
}
