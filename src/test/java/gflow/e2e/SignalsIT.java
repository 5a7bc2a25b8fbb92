package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Signals come to whom they are for, once; and who ends his own job hears that he did. */
class SignalsIT {
  /** Says each signal that comes, at once: two that come together are two lines. */
  private static final String LISTENER =
      """
      #!/bin/bash
      (trap '' TERM USR1 USR2; exec sleep 30) &
      for s in TERM USR1 USR2; do trap "echo $1 $s" $s; done
      echo $1 up
      while kill -0 $! 2>/dev/null; do wait $!; done
      """;

  private static Lab lab() throws Exception {
    Lab lab = StepsIT.lab();
    lab.write(lab.work().resolve("listen"), LISTENER).toFile().setExecutable(true);
    return lab;
  }

  /** A shell also says what its own children died of. */
  private static List<String> heard(Lab lab, long job) {
    return lab.log(job).lines().filter(line -> line.matches("\\w+ (TERM|USR\\d)")).toList();
  }

  @Test
  void timeout_around_srun_signals_the_program_once() throws Exception {
    try (var lab = lab()) {
      long job = StepsIT.submit(lab, "-n1", "timeout -k 2 1 srun -n1 ./listen step; echo over\n");
      lab.await("the end of it", () -> lab.log(job).contains("over"));

      assertThat(heard(lab, job)).containsExactly("step TERM");
    }
  }

  @Test
  void an_early_signal_and_one_by_hand_reach_the_steps_and_not_what_runs_beside_them()
      throws Exception {
    try (var lab = lab()) {
      long job =
          StepsIT.submit(
              lab,
              "-n2 --time=60s --signal=USR1@57",
              """
              ./listen beside &
              srun --exact -n1 ./listen one &
              srun --exact -n1 ./listen two &
              wait
              """);
      lab.await("both", () -> heard(lab, job).size() == 2);
      lab.ok("gjob", "signal", Long.toString(job), "USR2");
      lab.await("both again", () -> heard(lab, job).size() == 4);
      lab.ok("gcancel", Long.toString(job));
      lab.awaitState(job, "CANCELLED");

      assertThat(heard(lab, job))
          .filteredOn(line -> line.contains("USR"))
          .containsExactlyInAnyOrder("one USR1", "two USR1", "one USR2", "two USR2");
      assertThat(lab.log(job).lines().filter("one TERM"::equals)).hasSize(1);
    }
  }

  @Test
  void a_job_that_is_one_program_gets_it_itself() throws Exception {
    try (var lab = lab()) {
      long job = lab.submit("bash", "listen", "me");
      lab.await("it", () -> lab.log(job).contains("up"));
      lab.bash("scancel -s USR2 " + job);
      lab.await("the signal", () -> lab.log(job).contains("me USR2"));
      lab.ok("gjob", "signal", Long.toString(job), "10");
      lab.await("the next", () -> lab.log(job).contains("me USR1"));
      lab.ok("gcancel", Long.toString(job));

      assertThat(lab.run("gjob", "signal", Long.toString(job)).code()).isEqualTo(2);
    }
  }

  @Test
  void who_requeues_or_cancels_his_own_job_has_his_answer_before_anything_ends() throws Exception {
    try (var lab = lab()) {
      lab.write(
          lab.work().resolve("again.sh"),
          """
          #!/bin/bash
          #SBATCH --array=1-10
          trap '' TERM
          if [ -z "$SLURM_RESTART_COUNT" ]; then
            scontrol requeue $SLURM_JOB_ID; echo "requeue $?" >>answers
            sleep 60
          fi
          scancel $SLURM_JOB_ID; echo "cancel $?" >>answers
          sleep 60
          """);
      lab.configure("[defaults]\ngrace = \"1s\"\n");
      lab.ok("gflowd", "restart");
      lab.submit("again.sh");
      lab.awaitIdle();

      List<String> answers = Lab.read(lab.work().resolve("answers")).lines().toList();
      assertThat(answers.stream().filter("requeue 0"::equals)).hasSize(10);
      assertThat(answers.stream().filter("cancel 0"::equals)).hasSize(10);
      assertThat(answers).hasSize(20);
    }
  }
}
