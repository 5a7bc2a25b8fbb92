package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * {@code grun}, {@code srun} and {@code salloc} outside a job: an allocation in the queue, and the
 * program as the caller's own child.
 */
class OutsideIT {
  private static final Path PROGRAM =
      Path.of(System.getProperty("gflow.home", "target/gflow")).toAbsolutePath();

  private final Lab lab = new Lab();

  @BeforeEach
  void up() {
    lab.set(
        "PATH",
        PROGRAM.resolve("slurm") + ":" + PROGRAM.resolve("bin") + ":" + System.getenv("PATH"));
    lab.up();
  }

  @AfterEach
  void down() {
    lab.close();
  }

  /** A line of bash as a user types it; the outputs come together. */
  private String bash(String line) {
    return lab.bash(line + " 2>&1").out();
  }

  /** What the program of the n-th test line has written, once it is there. */
  private void await(String file) {
    lab.await(file, () -> !Lab.read(lab.work().resolve(file)).isBlank());
  }

  private String read(String file) {
    return Lab.read(lab.work().resolve(file)).strip();
  }

  private String state(long job) {
    lab.run("gjob", "wait", Long.toString(job));
    return lab.ok("gqueue", "-h", "-j", Long.toString(job), "-o", "%T").out().strip();
  }

  @Test
  void a_program_has_the_callers_streams_and_exit_code_and_the_gpus_of_a_job() {
    assertThat(
            bash("""
            exec 2>&1
            grun --gpus 2 sh -c 'echo $CUDA_VISIBLE_DEVICES $GFLOW_JOB_ID $SLURM_STEP_ID'
            echo hi | grun cat | tr h H
            grun sh -c 'exit 3'; echo code $?
            srun sh -c 'kill -15 $$' | cat; echo code ${PIPESTATUS[0]}
            grun -n 4 --gpus-per-task 1 sh -c 'echo $SLURM_PROCID on $CUDA_VISIBLE_DEVICES'|sort
            name='a b' SLURM_NTASKS=7 CUDA_VISIBLE_DEVICES=9 \\
              grun sh -c 'echo "[$name] [$SLURM_NTASKS] [$CUDA_VISIBLE_DEVICES]"'
            """)
                .replaceAll("error: [^ ]+: task", "error: HOST: task"))
        .isEqualTo(
            """
            0,1 1 0
            Hi
            code 3
            srun: error: HOST: task 0: Terminated
            code 143
            0 on 0
            1 on 1
            2 on 2
            3 on 3
            [a b] [1] []
            """);
    assertThat(List.of(state(1), state(3), state(4)))
        .containsExactly("COMPLETED", "FAILED", "FAILED");
    assertThat(lab.ok("gjob", "show", "3").out())
        .contains("State=FAILED ExitCode=3")
        .contains("Command=sh -c exit 3");
    assertThat(lab.ok("gjob", "show", "4").out()).contains("Signal=15");
  }

  @Test
  void what_is_refused_takes_nothing() {
    assertThat(
            bash(
                """
                exec 2>&1
                srun --gres=gpu:9 true; echo code $?
                salloc --gres=gpu:9 true; echo code $?
                grun --gpus 9 true; echo code $?
                grun nosuch; echo code $?
                salloc --no-shell; echo code $?
                grun --shell sh; echo code $?
                gqueue -h -s all
                """))
        .isEqualTo(
            """
            srun: error: Unable to allocate resources: \
            Requested node configuration is not available
            srun: error: Need 9 GPUs, the machine has 4 (change --gres)
            code 1
            salloc: error: Job submit/allocate failed: \
            Requested node configuration is not available
            salloc: error: Need 9 GPUs, the machine has 4 (change --gres)
            code 1
            grun: Need 9 GPUs, the machine has 4 (change --gpus)
            code 1
            grun: there is no program nosuch on PATH or here
            code 2
            salloc: error: --no-shell: an allocation ends with its command; submit one by sbatch
            code 1
            grun: --shell runs your shell; 'sh' is too much
            code 2
            """);
  }

  @Test
  void one_that_waits_says_so_and_is_withdrawn_with_its_client() {
    assertThat(
            bash(
                """
                exec 2>&1
                grun --gpus 3 sh -c '>began; until [ -e go ]; do sleep 0.02; done' &
                until [ -e began ]; do sleep 0.02; done
                grun --gpus 1 echo beside
                srun --gpus 2 --immediate=0 true; echo code $?
                timeout -s INT 2 grun --gpus 2 true; echo code $?
                one_waits() { until [ "$(gqueue -h -s PD | wc -l)" = 1 ]; do sleep 0.05; done; }
                srun --gpus 2 echo late & one_waits; sleep 1; >go; wait $!
                (one_waits; gcancel @ >cancelled) &
                salloc --gpus 4 --begin now+1hour true; echo code $?
                wait; cat cancelled
                """))
        .isEqualTo(
            """
            beside
            srun: error: Unable to allocate resources: \
            Immediate execution impossible, insufficient priority
            code 1
            grun: job 4 queued and waiting for resources (Resources: Need 2 GPUs, only 1 available)
            code 124
            srun: job 5 queued and waiting for resources
            srun: job 5 has been allocated resources
            late
            salloc: Job has been cancelled
            salloc: Job allocation 6 has been revoked.
            salloc: error: Job submit/allocate failed: Job/step already completing or completed
            code 1
            job 6 cancelled
            """);
    assertThat(lab.ok("gjob", "show", "4").out())
        .contains("State=CANCELLED Reason=cancelled by the end of its client");
    assertThat(lab.ok("gjob", "show", "3").out()).contains("State=CANCELLED");
  }

  @Test
  void a_client_that_is_killed_leaves_nothing_behind() {
    lab.bash(
        """
        exec >/dev/null 2>&1
        grun --gpus 4 sh -c 'echo $$ >pid; exec env -i sleep 300' & echo $! >client
        until [ -s pid ]; do sleep 0.02; done
        """);
    lab.ok("kill", "-KILL", read("client"));

    assertThat(state(1)).isEqualTo("FAILED");
    // Who is not reaped yet, as this machine has a lazy init, is gone all the same.
    assertThat(lab.bash("ps -o stat= -p " + read("pid")).out()).doesNotContainPattern("^[^Z]");
    assertThat(lab.ok("gjob", "show", "1").out()).contains("Signal=9");
    assertThat(bash("srun --gpus 4 -I echo free")).isEqualTo("free\n");
  }

  @Test
  void an_allocation_that_is_taken_away_ends_the_program_and_says_why() {
    String said =
        bash(
            """
            exec 2>&1
            later() { until [ -e "$1" ]; do sleep 0.02; done; gcancel @ >gone; }
            later a &
            grun --gpus 1 sh -c 'trap "echo saved; exit 7" TERM; >a; sleep 100 & wait'; echo code $?
            later b &
            srun sh -c '>b; exec sleep 100'; echo code $?
            later c &
            salloc sh -c '>c; exec sleep 100'; echo code $?
            grun -t 1s sleep 100; echo code $?
            srun -n2 -t 0:01 sleep 100; echo code $?
            """);
    assertThat(
            said.replaceAll(" ON [^ ]+ ", " ON HOST ")
                .replaceAll("AT 20[-0-9T:]+", "AT TIME")
                .replaceAll("error: [^ ]+: task", "error: HOST: task"))
        .isEqualTo(
            """
            saved
            grun: Force Terminated JobId=1
            grun: *** STEP 1.0 ON HOST CANCELLED AT TIME ***
            code 130
            srun: Force Terminated JobId=2
            slurmstepd: error: *** STEP 2.0 ON HOST CANCELLED AT TIME ***
            srun: error: HOST: task 0: Terminated
            code 143
            salloc: Granted job allocation 3
            salloc: Job allocation 3 has been revoked.
            code 1
            grun: Force Terminated JobId=4
            grun: *** STEP 4.0 ON HOST CANCELLED AT TIME DUE TO TIME LIMIT ***
            code 124
            srun: error: HOST: tasks 0-1: Terminated
            srun: Force Terminated JobId=5
            slurmstepd: error: *** STEP 5.0 ON HOST CANCELLED AT TIME DUE TO TIME LIMIT ***
            code 143
            """);
    assertThat(List.of(state(1), state(3), state(4), state(5)))
        .containsExactly("CANCELLED", "CANCELLED", "TIMEOUT", "TIMEOUT");
  }

  @Test
  void the_program_goes_on_without_the_daemon_and_its_end_is_known_to_the_next() {
    lab.bash(
        """
        exec >/dev/null 2>&1
        (grun --gpus 2 sh -c '>a; until [ -e go ]; do sleep 0.02; done; exit 4'; echo $? >x) &
        (grun -n2 --gpus 2 sh -c '>b; until [ -e go ]; do sleep 0.02; done; exit 5'; echo $? >y) &
        until [ -e a ] && [ -e b ]; do sleep 0.02; done
        (grun --gpus 3 sh -c 'echo $CUDA_VISIBLE_DEVICES'; echo $?) >z 2>&1 &
        until gqueue -h -s PD | grep -q sh; do sleep 0.05; done
        """);
    lab.killDaemon();
    lab.write(lab.work().resolve("go"), "");
    await("x");
    await("y");
    lab.up();

    assertThat(read("x") + read("y")).isEqualTo("45");
    await("z");
    lab.await("the third", () -> read("z").endsWith("\n0"));
    assertThat(read("z")).contains("0,1,2");
    assertThat(lab.ok("gqueue", "-h", "-s", "all", "-o", "%i %T").out().lines().sorted())
        .contains("1 FAILED", "2 FAILED");
  }

  @Test
  void a_terminal_is_the_programs_own_and_interrupts_it_once() {
    lab.write(
        lab.work().resolve("listen"),
        """
        tty; true </dev/tty && echo has a tty
        trap 'echo once' INT
        >ready
        sleep 1 & wait; wait
        exit 4
        """);
    String keys = "SHELL=/bin/bash script -qec 'grun --gpus 1 --pty bash listen' /dev/null";
    assertThat(
            bash(
                "(until [ -e ready ]; do sleep 0.02; done; sleep 0.2; printf '\\003'; sleep 2) | "
                    + keys
                    + "; echo code $?"))
        .contains("/dev/pts/")
        .contains("has a tty")
        .containsOnlyOnce("once")
        .contains("code 4");
    assertThat(
            bash(
                """
                SHELL=/bin/sh script -qec 'grun --gpus 2 --shell' /dev/null <<'X'
                echo on $CUDA_VISIBLE_DEVICES; srun -n1 echo a step; exit 6
                X
                echo code $?\
                """))
        .contains("on 0,1")
        .contains("a step")
        .contains("code 6");
  }

  @Test
  void salloc_runs_a_command_in_which_srun_makes_steps() {
    assertThat(
            bash(
                """
                exec 2>&1
                salloc -n2 --gres=gpu:2 sh -c 'echo $SLURM_JOB_ID $SLURM_NTASKS [$SLURM_PROCID]
                  srun sh -c "echo \\$SLURM_PROCID of \\$SLURM_STEP_ID on \\$CUDA_VISIBLE_DEVICES" |
                    sort
                  srun --exact -n1 --gres=gpu:1 sh -c "echo on \\$CUDA_VISIBLE_DEVICES"; exit 3'
                echo code $?
                """))
        .isEqualTo(
            """
            salloc: Granted job allocation 1
            1 2 []
            0 of 0 on 0,1
            1 of 0 on 0,1
            on 0
            salloc: Relinquishing job allocation 1
            code 3
            """);
    assertThat(state(1)).isEqualTo("FAILED");
    assertThat(lab.ok("gqueue", "-h", "-j", "1", "-o", "%j").out().strip())
        .isEqualTo("interactive");
  }

  @Test
  void salloc_in_a_job_takes_an_allocation_of_its_own() {
    lab.write(
        lab.work().resolve("inner.sh"),
        "#!/bin/sh\nsalloc --gres=gpu:2 sh -c 'echo $SLURM_JOB_ID has $SLURM_GPUS_ON_NODE' 2>&1\n");
    assertThat(bash("grun --gpus 1 sh inner.sh").lines())
        .contains("salloc: Granted job allocation 2", "2 has 2");
  }

  @Test
  void one_can_step_into_a_running_job() {
    long job = lab.submit("-n2", "--gpus", "2", "sh", "-c", "srun -n2 --gpus 2 sleep 300");
    lab.await("its step", () -> lab.run("gqueue", "--steps").out().contains("sleep"));
    String id = Long.toString(job);

    assertThat(
            bash("""
            exec 2>&1
            grun --jobid 1 --overlap sh -c 'echo $CUDA_VISIBLE_DEVICES $SLURM_JOB_ID'
            srun --jobid 1 --immediate=0 true; echo code $?
            SHELL=/bin/sh gjob shell 1 <<'X'
            echo shell on $CUDA_VISIBLE_DEVICES; exit 5
            X
            echo code $?
            srun --jobid 1 --overlap sh -c '>d; exec sleep 100' &
            until [ -e d ]; do sleep 0.02; done; gcancel 1; wait $!; echo code $?
            gjob wait 1
            gjob shell 1; echo code $?
            srun --jobid 77 true; echo code $?
            """)
                .replaceAll(" ON [^ ]+ ", " ON HOST ")
                .replaceAll("AT 20[-0-9T:]+", "AT TIME")
                .replaceAll("error: [^ ]+: task", "error: HOST: task"))
        .isEqualTo(
            """
            0,1 1
            srun: error: Unable to create step for job 1: Requested nodes are busy
            code 1
            shell on 0,1
            code 5
            job 1 cancelled
            srun: Force Terminated JobId=1
            slurmstepd: error: *** STEP 1.3 ON HOST CANCELLED AT TIME ***
            srun: error: HOST: task 0: Terminated
            code 143
            gjob shell: job 1 does not run any more: it is CANCELLED
            code 1
            srun: error: Unable to confirm allocation for job 77: Invalid job id specified
            srun: Check SLURM_JOB_ID environment variable. Expired or invalid job 77
            srun: error: there is no job 77 (gqueue -s all lists those that ended)
            code 1
            """);
    assertThat(id).isEqualTo("1");
  }

  /** The job may still be about to open the FIFO when the program is over. */
  @Test
  void a_program_that_is_over_at_once_has_ended_well() throws Exception {
    try (var lab = StepsIT.lab()) {
      lab.bash("seq 64 | xargs -P8 -I{} srun -Q true");
      lab.awaitIdle();

      assertThat(lab.jobs()).hasSize(64).allMatch(job -> job.get("state").equals("COMPLETED"));
    }
  }
}
