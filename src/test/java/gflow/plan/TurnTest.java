package gflow.plan;

import static gflow.plan.Scene.ANN;
import static gflow.plan.Scene.BOB;
import static gflow.plan.Scene.by;
import static gflow.plan.Scene.priority;
import static gflow.plan.Scene.project;
import static gflow.plan.Scene.tasks;
import static gflow.plan.Scene.wants;
import static gflow.plan.Scene.wantsCpus;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.JobId;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Whose turn it is, and who is left out by a limit. */
class TurnTest {
  private static final Optional<java.time.Duration> ENDLESS = Optional.empty();

  @Test
  void a_higher_priority_goes_first() {
    assertThat(Scene.of(1).waits(wants(1, 1), priority(11, wants(2, 1))).starts())
        .containsExactly("2:[0]");
  }

  @Test
  void among_equals_the_older_goes_first() {
    assertThat(Scene.of(1).waits(wants(2, 1), wants(1, 1), wants(3, 1)).starts())
        .containsExactly("1:[0]");
  }

  @Test
  void who_holds_fewer_gpus_goes_before_who_waits_longer() {
    var scene = Scene.of(2).runs(9, ANN, ENDLESS, 0);

    assertThat(scene.waits(wants(1, 1), by(BOB, wants(2, 1))).starts()).containsExactly("2:[1]");
  }

  @Test
  void priority_goes_before_who_holds_fewer_gpus() {
    var scene = Scene.of(2).runs(9, ANN, ENDLESS, 0);

    assertThat(scene.waits(priority(11, wants(1, 1)), by(BOB, wants(2, 1))).starts())
        .containsExactly("1:[1]");
  }

  @Test
  void what_this_plan_gives_counts_at_once() {
    var scene = Scene.of(4).waits(tasks(10, wants(1, 1)), by(BOB, tasks(10, wants(2, 1))));

    assertThat(scene.starts()).containsExactly("1:[0]", "2:[1]", "1:[2]", "2:[3]");
  }

  @Test
  void an_array_starts_as_many_tasks_as_may_start() {
    assertThat(Scene.of(4).waits(tasks(2, wants(1, 1))).starts()).containsExactly("1:[0]", "1:[1]");
  }

  @Test
  void arrays_that_are_alike_start_one_after_the_other() {
    assertThat(Scene.of(4).waits(tasks(1, wants(1, 1)), tasks(9, wants(2, 1))).starts())
        .containsExactly("1:[0]", "2:[1]", "2:[2]", "2:[3]");
  }

  @Test
  void a_user_at_the_task_limit_waits_and_reserves_nothing() {
    var scene = Scene.of(4).runs(9, ANN, ENDLESS, 0);
    scene.limits = new UsageLimits(Caps.ofTasks(1), new TreeMap<>(), new TreeMap<>());
    var blocked = wants(1, 3);
    scene.waits(blocked, wants(3, 1), by(BOB, wants(2, 3)));

    assertThat(scene.starts()).containsExactly("2:[1, 2, 3]");
    assertThat(scene.plan().reservation()).isEmpty();
    assertThat(scene.why(blocked)).isEqualTo("QOSMaxJobsPerUserLimit");
  }

  @Test
  void a_user_at_the_gpu_limit_still_gets_cpus() {
    var scene = Scene.of(4).runs(9, ANN, ENDLESS, 0);
    scene.limits = new UsageLimits(Caps.ofGpus(2), new TreeMap<>(), new TreeMap<>());
    var blocked = wants(1, 2);
    scene.waits(blocked, wantsCpus(2, 1), tasks(2, wants(3, 1)));

    assertThat(scene.starts()).containsExactly("2:[]", "3:[1]");
    assertThat(scene.why(blocked)).isEqualTo("QOSMaxGRESPerUser");
  }

  @Test
  void a_user_may_have_a_limit_of_their_own() {
    var users = new TreeMap<String, UsageLimits.Cap>();
    users.put("bob", Caps.ofTasks(2));
    var limits = new UsageLimits(Caps.ofTasks(1), users, new TreeMap<>());
    var scene = Scene.of(4).waits(tasks(9, wants(1, 1)), by(BOB, tasks(9, wants(2, 1))));
    scene.limits = limits;

    assertThat(scene.starts()).containsExactly("1:[0]", "2:[1]", "2:[2]");
    assertThat(limits.user("bob"))
        .isEqualTo(new UsageLimits.Cap(OptionalInt.of(2), OptionalInt.empty()));
  }

  @Test
  void a_project_at_its_limit_waits_whoever_submits() {
    var projects = new TreeMap<String, UsageLimits.Cap>();
    projects.put("x", Caps.ofTasks(1));
    var scene = Scene.of(4);
    scene.limits = new UsageLimits(UsageLimits.Cap.NONE, new TreeMap<>(), projects);
    var second = by(BOB, project("x", wants(2, 1)));
    scene.waits(project("x", wants(1, 1)), second, project("y", wants(3, 1)));

    assertThat(scene.starts()).containsExactly("1:[0]", "3:[1]");
    assertThat(scene.why(second)).isEqualTo("AssocGrpJobsLimit");
  }

  @Test
  void a_projects_gpus_are_limited_too() {
    var projects = new TreeMap<String, UsageLimits.Cap>();
    projects.put("x", Caps.ofGpus(1));
    var scene = Scene.of(4);
    scene.limits = new UsageLimits(UsageLimits.Cap.NONE, new TreeMap<>(), projects);
    var blocked = project("x", wants(1, 2));

    assertThat(scene.waits(blocked).starts()).isEmpty();
    assertThat(scene.why(blocked)).isEqualTo("AssocGrpGRES");
  }

  @Test
  void a_changed_candidate_takes_its_new_place() {
    var scene = Scene.of(1).waits(wants(1, 1), wants(2, 1), wants(3, 1));
    scene.book.put(priority(20, wants(3, 1)));
    assertThat(scene.starts()).containsExactly("3:[0]");

    scene.book.remove(new JobId(3));
    scene.book.remove(new JobId(1));
    scene.book.remove(new JobId(77));
    assertThat(scene.starts()).containsExactly("2:[0]");
    assertThat(scene.book.size()).isEqualTo(1);
    assertThat(scene.book.get(new JobId(3))).isEmpty();
    assertThat(scene.book.get(new JobId(2))).contains(wants(2, 1));
  }

  @Test
  void who_comes_late_but_is_older_brings_the_line_forward() {
    var scene = Scene.of(8).waits(wants(2, 1), wants(3, 2), wants(1, 2));

    assertThat(scene.starts()).containsExactly("1:[0, 1]", "2:[2]", "3:[3, 4]");
  }

  @Test
  void lines_of_one_owner_are_merged_by_age() {
    var scene = Scene.of(4);
    scene.waits(wants(1, 1), wants(4, 1), wantsCpus(2, 1), wantsCpus(5, 1), wantsCpus(3, 2));

    assertThat(scene.starts()).containsExactly("1:[0]", "2:[]", "3:[]", "4:[1]", "5:[]");
  }
}
