package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** An array and its tasks have numbers of their own. */
class ArrayIT {
  @Test
  void a_task_that_names_its_job_id_means_itself_and_has_its_own_steps() throws Exception {
    try (var lab = StepsIT.lab()) {
      long array =
          StepsIT.submit(
              lab,
              "--array 0-2",
              """
              srun -n1 true
              [ $SLURM_ARRAY_TASK_ID != 0 ] || { scancel $SLURM_JOB_ID; sleep 100; }
              """);
      lab.awaitIdle();

      assertThat(lab.bash("sacct -nPXj " + array + " -o JobID,JobIDRaw,State").out())
          .matches("1_0\\|2\\|CANCELLED by \\d+\n1_1\\|3\\|COMPLETED\n1_2\\|4\\|COMPLETED\n");
      assertThat(lab.bash("sacct -nPj 3 -o JobID").lines())
          .containsExactly("1_1", "1_1.batch", "1_1.0");
      assertThat(lab.submit("true")).as("the next number").isEqualTo(5);
    }
  }
}
