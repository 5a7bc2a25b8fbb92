package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Steps that are ended by others: cancelled, signalled, out of time, and with the daemon killed.
 */
class StepEndsIT {
  private static final String STUBBORN =
      "bash -c 'trap \"\" TERM; echo ready; while :; do sleep 0.05; done'";

  @Test
  void a_step_ends_for_a_reason_that_is_said_and_kept_and_its_job_goes_on() throws Exception {
    try (var lab = StepsIT.lab()) {
      long job =
          StepsIT.submit(
              lab,
              "-n1 --gpus 1",
              """
              srun -n1 bash -c 'trap "echo usr1" USR1; echo ready; while :; do sleep 0.05; done'
              echo code $?
              srun -n1 -t 0:01 sleep 100; echo code $?
              srun -n1 true
              """);
      lab.await("the step", () -> lab.log(job).contains("ready"));
      String step = job + ".0";
      lab.ok("scancel", "-s", "USR1", step);
      lab.await("the signal", () -> lab.log(job).contains("usr1"));
      lab.ok("gcancel", step);
      lab.awaitState(job, "COMPLETED");

      assertThat(lab.log(job).replaceAll(" ON [^ ]+", " ON HOST").replaceAll(" AT [^ ]+", " AT T"))
          .contains("*** STEP " + job + ".0 ON HOST CANCELLED AT T ***")
          .contains("*** STEP " + job + ".1 ON HOST CANCELLED AT T DUE TO TIME LIMIT ***")
          .contains("code 143\n");
      assertThat(lab.ok("sacct", "-nP", "-j", "" + job, "-o", "JobID,State,ExitCode").lines())
          .containsExactly(
              job + "|COMPLETED|0:0",
              job + ".batch|COMPLETED|0:0",
              job + ".0|CANCELLED|0:15",
              job + ".1|TIMEOUT|0:15",
              job + ".2|COMPLETED|0:0");
      assertThat(lab.run("gcancel", step).err()).contains("step " + step);
    }
  }

  /** One that is large, one that works, and two tasks that work. */
  @Test
  void what_a_step_used_is_its_own() throws Exception {
    try (var lab = StepsIT.lab()) {
      lab.write(
          lab.work().resolve("work.sh"), "i=0; while [ $i -lt 500000 ]; do i=$((i+1)); done\n");
      lab.write(
          lab.work().resolve("grow.sh"), "x=$(head -c 50000000 /dev/zero | tr '\\0' x); sleep 4\n");
      long job =
          StepsIT.submit(
              lab,
              "-n2 --gpus 1",
              """
              srun -n1 sh grow.sh
              srun -n1 sh work.sh
              srun -n2 sh work.sh
              """);
      lab.awaitState(job, "COMPLETED");

      List<String[]> rows =
          lab.ok("sacct", "-nP", "-j", "" + job, "-o", "JobID,TotalCPU,MaxRSS").lines().stream()
              .map(row -> row.split("\\|", -1))
              .toList();
      assertThat(rows).extracting(row -> row[0]).hasSize(5).startsWith(job + "", job + ".batch");
      double one = seconds(rows.get(3)[1]);
      assertThat(one).isGreaterThan(0.05);
      assertThat(seconds(rows.get(4)[1])).isBetween(1.3 * one, 4 * one);
      assertThat(seconds(rows.get(0)[1])).isGreaterThan(2 * one);
      assertThat(kilobytes(rows.get(2)[2])).isGreaterThan(50_000);
      assertThat(kilobytes(rows.get(1)[2])).isGreaterThan(50_000);
      String second = job + ".1";
      assertThat(lab.ok("sacct", "-nP", "-j", second, "-o", "JobID").lines())
          .containsExactly(second);
    }
  }

  /** {@code 01:02.345}. */
  private static double seconds(String time) {
    String[] parts = time.split(":", -1);
    return Double.parseDouble(parts[0]) * 60 + Double.parseDouble(parts[1]);
  }

  private static long kilobytes(String size) {
    return Long.parseLong(size.replace("K", ""));
  }

  @Test
  void the_next_daemon_goes_on_with_the_end_of_a_step() throws Exception {
    try (var lab = StepsIT.lab()) {
      lab.configure("[defaults]\ngrace = \"2s\"\n");
      lab.ok("gflowd", "restart");
      long job = StepsIT.submit(lab, "-n1 --gpus 1", "srun -n1 " + STUBBORN + "; echo code $?\n");
      lab.await("the step", () -> lab.log(job).contains("ready"));
      lab.ok("gcancel", job + ".0");
      lab.killDaemon();
      lab.up();
      lab.awaitState(job, "COMPLETED");

      assertThat(lab.log(job)).contains("code 137").contains("CANCELLED AT");
      assertThat(lab.ok("gjob", "show", "" + job).out())
          .contains("Step[%d.0] Name=bash State=CANCELLED".formatted(job));
    }
  }
}
