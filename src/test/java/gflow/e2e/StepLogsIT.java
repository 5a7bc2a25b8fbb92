package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What steps write: whole lines, and nothing is lost when their job runs again. */
class StepLogsIT {
  @Test
  void lines_of_tasks_are_not_torn_and_what_has_no_end_stays_as_it_is() throws Exception {
    try (var lab = StepsIT.lab()) {
      long job =
          StepsIT.submit(
              lab,
              "-n4",
              """
              srun sh -c 'for i in $(seq 5000); do printf aaaaa; printf "bbbbb\\\\n"; done'
              srun -n2 sh -c '[ $SLURM_PROCID = 0 ] || printf end'
              """);
      lab.awaitState(job, "COMPLETED");

      assertThat(lab.log(job).lines().filter("aaaaabbbbb"::equals)).hasSize(20_000);
      assertThat(lab.log(job)).endsWith("bbbbb\nend");
    }
  }

  @Test
  void a_step_that_runs_again_adds_to_its_file_and_append_is_for_steps_too() throws Exception {
    try (var lab = StepsIT.lab()) {
      long again =
          StepsIT.submit(
              lab,
              "--requeue",
              """
              srun -n1 -o one.txt echo "run $SLURM_RESTART_COUNT"
              srun -n2 --overcommit -o both%t.txt echo "run $SLURM_RESTART_COUNT"
              [ -n "$SLURM_RESTART_COUNT" ] || { scontrol requeue $SLURM_JOB_ID; sleep 60; }
              """);
      lab.awaitState(again, "COMPLETED");
      assertThat(Lab.read(lab.work().resolve("one.txt"))).isEqualTo("run \nrun 1\n");
      assertThat(Lab.read(lab.work().resolve("both1.txt"))).isEqualTo("run \nrun 1\n");

      long appends =
          StepsIT.submit(
              lab,
              "--open-mode append",
              """
              srun -n1 -o two.txt echo first
              srun -n1 -o two.txt echo second
              srun -n1 -o two.txt --open-mode truncate echo third
              srun -n1 -o two.txt echo fourth
              """);
      lab.awaitState(appends, "COMPLETED");
      assertThat(Lab.read(lab.work().resolve("two.txt"))).isEqualTo("third\nfourth\n");
    }
  }
}
