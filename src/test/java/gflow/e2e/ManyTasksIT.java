package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Steps with many tasks: the JVM is their parent. */
class ManyTasksIT {
  private static final Lab LAB = new Lab("GFLOW_CPUS=32");

  @BeforeAll
  static void up() {
    LAB.up();
  }

  @AfterAll
  static void close() {
    LAB.close();
  }

  private static long submit(String name, String text, String... words) {
    Path script = LAB.write(LAB.work().resolve(name), "#!/bin/bash\n" + text);
    var all = new ArrayList<>(List.of(words));
    all.add(script.toString());
    return LAB.submit(all.toArray(String[]::new));
  }

  private static List<String> log(long job) {
    return LAB.log(job)
        .lines()
        .map(line -> line.replaceAll("error: [^ .:]+: task", "error: HOST: task"))
        .toList();
  }

  @Test
  void thirty_two_tasks_of_one_launch_script_each_have_their_number() {
    LAB.write(
        LAB.work().resolve("launch.sh"),
        "#!/bin/bash\necho $SLURM_LOCALID $((SLURM_LOCALID % 4))\n");
    LAB.ok("chmod", "+x", "launch.sh");
    long job =
        submit(
            "seed", "#SBATCH --nodes=1\n#SBATCH --ntasks-per-node=32\nsrun launch.sh | sort -n\n");
    LAB.awaitState(job, "COMPLETED");

    assertThat(log(job))
        .containsExactlyElementsOf(IntStream.range(0, 32).mapToObj(n -> n + " " + n % 4).toList());
  }

  @Test
  void the_step_of_srun_outside_a_job_ended_as_its_tasks_did() {
    for (int i = 0; i < 3; i++) {
      String name = "ends" + i;
      LAB.ok("srun", "-J", name, "-n2", "true");
      String[] sacct = {"sacct", "-Pno", "JobName,State,ExitCode", "--name", name};
      LAB.await("its end", () -> !LAB.ok(sacct).out().contains("RUNNING"));
      assertThat(LAB.ok(sacct).out().lines())
          .containsExactly(name + "|COMPLETED|0:0", name + "|COMPLETED|0:0");
    }
  }

  @Test
  void every_signal_reaches_every_task() {
    long job =
        submit(
            "signals",
            """
            srun -n3 bash -c 'for s in INT HUP QUIT USR1 USR2 CONT; do trap "echo $s" $s; done
              trap "echo TERM; exit 4" TERM
              echo up; while :; do sleep 0.05; done' &
            echo $! >parent
            wait $!; echo code $?
            """,
            "-n3");
    LAB.await("the tasks", () -> log(job).stream().filter("up"::equals).count() == 3);
    String parent = Lab.read(LAB.work().resolve("parent")).strip();
    for (String signal : List.of("INT", "HUP", "QUIT", "USR1", "USR2", "CONT", "TERM")) {
      LAB.ok("kill", "-" + signal, parent);
      LAB.await(signal, () -> log(job).stream().filter(signal::equals).count() == 3);
    }
    LAB.awaitState(job, "COMPLETED");

    assertThat(log(job))
        .endsWith("srun: error: HOST: tasks 0-2: Exited with exit code 4", "code 4");
  }

  @Test
  void a_cancelled_step_says_so_and_who_waits_for_its_turn_can_be_told_to_end() {
    long job =
        submit(
            "cancelled",
            """
            srun -n2 sleep 100 &
            first=$!
            while ! gqueue --steps -h | grep -q RUNNING; do sleep 0.1; done
            srun -n2 true &
            sleep 1.5; kill $!; wait $!; echo second $?
            scancel $SLURM_JOB_ID.0
            wait $first; echo first $?
            """,
            "-n2");
    LAB.awaitState(job, "COMPLETED");

    assertThat(log(job))
        .contains("second 143", "srun: error: HOST: tasks 0-1: Terminated", "first 143")
        .anyMatch(line -> line.matches("slurmstepd: error: \\*\\*\\* STEP .* CANCELLED AT .*"));
  }

  @Test
  void a_program_in_a_step_of_a_cancelled_job_gets_term_once() {
    String program = "trap \"echo term\" TERM; echo up; for i in 1 2 3 4 5 6; do sleep 0.2; done";
    for (int tasks : List.of(1, 2)) {
      long job = submit("once" + tasks, "srun bash -c '" + program + "'\n", "-n" + tasks);
      LAB.await("tasks", () -> log(job).stream().filter("up"::equals).count() == tasks);
      LAB.ok("gcancel", Long.toString(job));
      LAB.awaitState(job, "CANCELLED");

      assertThat(log(job).stream().filter("term"::equals)).as("of %d", tasks).hasSize(tasks);
    }
  }
}
