package gflow.script.step;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.script.grammar.Given;
import gflow.script.value.BadInput;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which options of srun outside a job are of its job, and which of its step. */
class AllocationOptionsTest {
  private static Given given(String line) throws BadInput {
    return StepOptions.grammar("srun").parse(List.of(line.split(" ", -1)));
  }

  @Test
  void resources_and_terms_are_of_the_job_and_streams_of_the_step() throws BadInput {
    Given given = given("-n2 --gres=gpu:2 --mem 4G -t 10 -p long -J me -o out -l --overlap prog");

    assertThat(AllocationOptions.ofTheJob(given))
        .containsOnlyKeys(
            "ntasks",
            "gres",
            "mem",
            "time",
            "partition",
            "name",
            "output",
            "no-requeue",
            "allocation")
        .containsEntry("name", List.of("me"))
        .containsEntry("output", List.of("none"));
    assertThat(AllocationOptions.ofTheStep(given).byName())
        .containsOnlyKeys("ntasks", "partition", "job-name", "output", "label", "overlap");
  }

  @Test
  void no_gpus_are_not_asked_for() throws BadInput {
    assertThat(AllocationOptions.ofTheJob(given("--gres=none prog"))).doesNotContainKey("gres");
  }

  @Test
  void the_tasks_are_known_before_there_is_a_job() throws BadInput {
    assertThat(tasks("prog")).isEqualTo("1");
    assertThat(tasks("--gpus 0.25 prog")).isEqualTo("1");
    assertThat(tasks("--gpus 4 --gpus-per-task 2 prog")).isEqualTo("2");
    assertThat(tasks("--gpus 2 --ntasks-per-gpu 3 prog")).isEqualTo("6");
    assertThat(tasks("-n 3 --gpus-per-task 1 prog")).isEqualTo("3");
  }

  private static String tasks(String line) throws BadInput {
    return AllocationOptions.ofTheStep(given(line)).value("ntasks").orElseThrow();
  }
}
