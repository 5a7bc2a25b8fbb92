package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Steps inside jobs: who runs beside whom, what a step gets, and what happens when it is killed.
 */
class StepsIT {
  /** A lab whose jobs have {@code srun} on their PATH, and a job of this script. */
  static Lab lab() throws Exception {
    var lab = new Lab();
    Path program = Path.of(System.getProperty("gflow.home", "target/gflow")).toAbsolutePath();
    lab.set("PATH", "%1$s/slurm:%1$s/bin:%2$s".formatted(program, System.getenv("PATH")));
    lab.up();
    return lab;
  }

  static long submit(Lab lab, String options, String script) {
    lab.write(lab.work().resolve("job.sh"), "#!/bin/bash\n" + script);
    var words = new ArrayList<>(List.of(options.split(" ", -1)));
    words.add("job.sh");
    return lab.submit(words.toArray(String[]::new));
  }

  private static String run(Lab lab, String options, String script) {
    long job = submit(lab, options, script);
    lab.run("gjob", "wait", Long.toString(job));
    return lab.log(job);
  }

  /** Lines of {@code gpu begin end}, and that no two on one GPU were there at one time. */
  private static void neverTwoOnOne(List<String> lines) {
    Map<String, List<double[]>> byGpu = new TreeMap<>();
    for (String line : lines) {
      String[] words = line.split(" ", -1);
      var mine = new double[] {Double.parseDouble(words[1]), Double.parseDouble(words[2])};
      for (double[] other : byGpu.computeIfAbsent(words[0], _ -> new ArrayList<>())) {
        assertThat(mine[0] < other[1] && other[0] < mine[1]).as(lines.toString()).isFalse();
      }
      byGpu.get(words[0]).add(mine);
    }
  }

  private static final String TIMED =
      "'b=$(date +%s.%N); sleep SECONDS; echo \"$CUDA_VISIBLE_DEVICES $b $(date +%s.%N)\"'";

  private static String timed(String seconds) {
    return "bash -c " + TIMED.replace("SECONDS", seconds);
  }

  @Test
  void four_steps_run_side_by_side_each_on_its_own_gpu_and_six_in_two_waves() throws Exception {
    try (var lab = lab()) {
      String loop =
          "for i in $(seq COUNT); do srun --exclusive --gres=gpu:1 -n1 "
              + timed("0.5")
              + " & done; wait";

      List<String> four = run(lab, "-n4 --gpus 4", loop.replace("COUNT", "4")).lines().toList();
      assertThat(four)
          .extracting(l -> l.substring(0, 1))
          .containsExactlyInAnyOrder("0", "1", "2", "3");
      double lastBegin = four.stream().mapToDouble(l -> word(l, 1)).max().orElseThrow();
      double firstEnd = four.stream().mapToDouble(l -> word(l, 2)).min().orElseThrow();
      assertThat(lastBegin).as("all at the same time").isLessThan(firstEnd);

      List<String> six = run(lab, "-n4 --gpus 4", loop.replace("COUNT", "6")).lines().toList();
      assertThat(six).hasSize(6);
      neverTwoOnOne(six);

      List<String> two = run(lab, "-n4 --gpus 2", loop.replace("COUNT", "4")).lines().toList();
      assertThat(two).extracting(l -> l.substring(0, 1)).containsOnly("0", "1");
      neverTwoOnOne(two);
    }
  }

  private static double word(String line, int at) {
    return Double.parseDouble(line.split(" ", -1)[at]);
  }

  @Test
  void a_step_has_its_own_variables_exit_code_stdin_and_arguments() throws Exception {
    try (var lab = lab()) {
      lab.write(lab.work().resolve("here.sh"), "#!/bin/sh\necho here \"$@\"\n")
          .toFile()
          .setExecutable(true);

      String log =
          run(
              lab,
              "-n4 --gpus 4",
              """
              export name='a b' line="it's" step=7
              srun --exact -n1 --gres=gpu:2 \
                sh -c 'echo "$SLURM_STEP_ID $SLURM_NTASKS $SLURM_STEP_GPUS [$name] [$line] [$step]"'
              echo text | srun -n1 cat
              srun -n1 here.sh 'two words' '*' ''
              srun -n1 sh -c 'exit 7'; echo code $?
              srun -n1 sh -c 'kill -9 $$'; echo code $?
              grun -n1 --gres=none sh -c 'exit 3'; echo code $?
              srun -n1 nosuch; echo code $?
              srun -n5 true; echo code $?
              srun -n1 --gres=gpu:5 true; echo code $?
              srun -n1 -o out-%j-%s-%t sh -c 'echo into a file'; cat out-*
              env -i PATH="$PATH" GFLOW_HOME="$GFLOW_HOME" GFLOW_JOB_ID="$GFLOW_JOB_ID" \
                GFLOW_MARK="$GFLOW_MARK" 'odd%%=x' srun -n1 env |
                grep -v '^SLURM\\|^GFLOW\\|^PATH' | sort
              """);

      assertThat(log.replaceAll("error: [^ ]+: task", "error: HOST: task"))
          .isEqualTo(
              """
              0 1 0,1 [a b] [it's] [7]
              text
              here two words *\s
              srun: error: HOST: task 0: Exited with exit code 7
              code 7
              srun: error: HOST: task 0: Killed
              code 137
              code 3
              slurmstepd: error: execve(): nosuch: No such file or directory
              srun: error: HOST: task 0: Exited with exit code 2
              code 2
              srun: error: Unable to create step for job 1: \
              More processors requested than permitted
              code 1
              srun: error: Step requested gres_per_node=gpu:5 is \
              more than the job's gres_per_node=gpu:4
              srun: error: Unable to create step for job 1: \
              Invalid generic resource (gres) specification
              code 1
              into a file
              CUDA_VISIBLE_DEVICES=0,1,2,3
              GPU_DEVICE_ORDINAL=0,1,2,3
              ROCR_VISIBLE_DEVICES=0,1,2,3
              SRUN_DEBUG=3
              ZE_AFFINITY_MASK=0,1,2,3
              odd%%=x
              """);
      assertThat(lab.ok("gjob", "show", "1").out())
          .contains("Step[1.0]")
          .contains("Step[1.3] Name=sh State=FAILED ExitCode=7");
    }
  }

  @Test
  void many_tasks_are_labelled_and_the_highest_code_wins() throws Exception {
    try (var lab = lab()) {
      String log =
          run(
              lab,
              "-n4 --gpus 4",
              """
              srun -l --gpus-per-task=1 \
                sh -c 'echo $SLURM_LOCALID of $SLURM_NTASKS on $CUDA_VISIBLE_DEVICES' | sort
              echo all | srun -n2 cat
              grun -n3 sh -c 'exit $SLURM_PROCID'; echo code $?
              printf '0 echo first %%t\\n1-2 echo rest %%t %%o\\n' >programs
              srun -n3 --multi-prog programs | sort
              grun -n2 -K \
                sh -c '[ $SLURM_PROCID = 0 ] && exit 3; exec sleep 100'; echo code $?
              """);

      assertThat(log)
          .isEqualTo(
              """
              0: 0 of 4 on 0
              1: 1 of 4 on 1
              2: 2 of 4 on 2
              3: 3 of 4 on 3
              all
              all
              code 2
              first 0
              rest 1 0
              rest 2 1
              grun: a task has failed, so the others are ended
              code 143
              """);
    }
  }

  @Test
  void signals_go_to_the_program_and_a_killed_srun_leaves_nothing() throws Exception {
    try (var lab = lab()) {
      long job =
          submit(
              lab,
              "-n1 --gpus 1",
              """
              srun -n1 bash -c 'trap "echo usr1" USR1; trap "echo term; exit 5" TERM
                echo ready; while :; do sleep 0.05; done' &
              echo $! >first
              wait $!; echo code $?
              srun -n1 bash -c 'echo $$ >inner; sleep 300' &
              echo $! >second
              until [ -s inner ]; do sleep 0.05; done
              srun -n1 echo next
              """);
      lab.await("a step", () -> lab.log(job).contains("ready"));
      String first = Lab.read(lab.work().resolve("first")).strip();
      lab.ok("kill", "-USR1", first);
      lab.await("the signal", () -> lab.log(job).contains("usr1"));
      lab.ok("kill", "-TERM", first);
      lab.await("the end", () -> lab.log(job).contains("code 5"));
      Path inner = lab.work().resolve("inner");
      lab.await("the second step", () -> !Lab.read(inner).isBlank());
      lab.ok("kill", "-KILL", Lab.read(lab.work().resolve("second")).strip());
      lab.awaitState(job, "COMPLETED");

      assertThat(lab.log(job)).contains("next");
      assertThat(ProcessHandle.of(Long.parseLong(Lab.read(inner).strip()))).isEmpty();
      assertThat(lab.ok("gjob", "show", Long.toString(job)).out()).contains("Signal=9");
    }
  }

  /**
   * The child of srun waits for the reader of its output, so it is not the program yet when srun
   * dies.
   */
  @Test
  void a_program_that_was_not_started_yet_when_srun_was_killed_never_runs() throws Exception {
    try (var lab = lab()) {
      long job =
          submit(
              lab,
              "-n2 --gpus 2",
              """
              mkfifo pipe
              srun -n1 --gres=gpu:2 -o pipe sh -c 'echo late >late' &
              srun=$!
              until gjob show $GFLOW_JOB_ID | grep -q 'Step.*RUNNING'; do :; done
              sleep 0.3
              kill -9 $srun
              srun --exact -n1 --gres=gpu:2 --immediate=5 echo the next one
              timeout 1 cat pipe
              ls late; echo end
              """);
      lab.awaitState(job, "COMPLETED");

      assertThat(lab.log(job)).contains("the next one\n", "end\n");
      assertThat(lab.work().resolve("late")).doesNotExist();
    }
  }

  @Test
  void a_step_that_waits_says_why_and_what_would_help() throws Exception {
    try (var lab = lab()) {
      String log =
          run(
              lab,
              "-n2 --gpus 2",
              """
              srun --exact -n1 sleep 2 &
              until srun --overlap -n1 --gres=none true; do :; done
              srun -n1 --exact --gres=none echo passes
              srun -n1 --immediate=0 echo never; echo code $?
              srun -n1 echo late
              wait
              """);

      assertThat(log)
          .isEqualTo(
              """
              passes
              srun: error: Unable to create step for job 1: \
              Requested nodes are busy
              code 1
              srun: Job 1 step creation temporarily disabled, \
              retrying (Requested nodes are busy)
              srun: this step needs 2 CPUs, 1 of 2 free; 2 GPUs, 0 of 2 free; \
              with --exact --gres=none it would run at once
              srun: Step created for job 1
              late
              """);
    }
  }

  @Test
  void steps_go_on_when_the_daemon_dies_and_those_that_wait_are_served_by_the_next()
      throws Exception {
    try (var lab = lab()) {
      long job =
          submit(
              lab,
              "-n2 --gpus 2",
              """
              srun --exact -n1 --gres=gpu:2 sh -c 'echo one; >began
                until [ -e go ]; do sleep 0.05; done; exit 4' &
              until [ -e began ]; do sleep 0.02; done
              srun --exact -n1 --gres=gpu:1 echo two &
              wait %1; echo code $?
              wait
              srun --exact -n1 --gres=gpu:1 echo three
              """);
      lab.await("a step", () -> lab.log(job).contains("one"));
      lab.killDaemon();
      lab.up();
      assertThat(lab.log(job)).doesNotContain("two");
      lab.killDaemon();
      lab.write(lab.work().resolve("go"), "");
      lab.await("the end of a step", () -> lab.log(job).contains("code 4"));
      lab.up();
      lab.awaitState(job, "COMPLETED");

      assertThat(lab.log(job)).contains("two").contains("three");
      assertThat(lab.ok("gjob", "show", Long.toString(job)).out())
          .contains("Step[%d.0] Name=sh State=FAILED ExitCode=4".formatted(job))
          .contains("Step[%d.2] Name=echo State=COMPLETED".formatted(job));
    }
  }

  /** Who finds its GPU taken says so; the lock goes with the last process that has it. */
  private static final String ALONE =
      """
      bash -c 'exec 9>"gpu$CUDA_VISIBLE_DEVICES"; flock -n 9 || echo clash
        [ -n "$CUDA_VISIBLE_DEVICES" ] || echo no GPU
        sleep 0.0$((RANDOM % 9)); echo done'\
      """;

  @Test
  void two_hundred_steps_of_eight_loops_never_share_a_gpu_though_clients_and_daemons_are_killed()
      throws Exception {
    try (var lab = lab()) {
      long job =
          submit(
              lab,
              "-n8 --gpus 4",
              """
              loop() {
                for i in $(seq 25); do
                  srun --exact --gres=gpu:1 -n1 PROGRAM &
                  if [ $(((i + $1) % 6)) = 0 ] && [ $i -lt 25 ]; then
                    sleep 0.0$((RANDOM % 9)); kill -9 $! && echo killed
                  fi
                  wait $!
                done 2>/dev/null
              }
              for l in 1 2 3 4 5 6 7 8; do loop $l & done
              wait
              srun --exact -n8 --gres=gpu:4 --immediate=5 true && echo all back
              """
                  .replace("PROGRAM", ALONE));
      for (int seen : List.of(40, 110)) {
        lab.await("some", () -> lab.log(job).lines().count() > seen);
        lab.killOnlyDaemon();
        lab.await("the next daemon", () -> lab.run("gflowd", "status").code() == 0);
      }
      lab.awaitState(job, "COMPLETED");

      List<String> lines = lab.log(job).lines().toList();
      assertThat(lines).doesNotContain("clash", "no GPU").contains("all back");
      assertThat(lines.stream().filter("killed"::equals)).hasSizeGreaterThanOrEqualTo(30);
      // One that was killed may have been done already, or have had nothing yet.
      assertThat(lines.stream().filter("done"::equals)).hasSizeBetween(168, 200);
      List<Map<String, Object>> steps = lab.steps(job);
      assertThat(steps).hasSizeBetween(169, 201).noneMatch(s -> s.get("state").equals("RUNNING"));
      assertThat(lab.ok("ginfo").out()).doesNotContain("allocated");
    }
  }
}
