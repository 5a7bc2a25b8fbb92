package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A job that runs its tasks itself, one GPU for each, in turn. */
class SpreadIT {
  private final Lab lab = new Lab("GFLOW_GPUS=sim:8x24G", "GFLOW_CPUS=8");

  @AfterEach
  void close() {
    lab.close();
  }

  private String read(String file) {
    return Lab.read(lab.work().resolve(file));
  }

  @Test
  void more_clients_than_cpus_run_side_by_side_on_whatever_gpus_the_job_has() {
    lab.up();
    String line = "touch here{task}; until [ $(ls here* | wc -l) = 32 ]; do sleep 0.02; done; ";
    long job =
        lab.submit(
            "--spread",
            "-n32",
            "--gpu-ids=4-7",
            "-oout.%t",
            "sh",
            "-c",
            line + "echo {task} {gpu} {ntasks} {job} {other} $CUDA_VISIBLE_DEVICES $SLURM_PROCID");
    lab.awaitState(job, "COMPLETED");

    for (int task = 0; task < 32; task++) {
      int gpu = 4 + task % 4;
      assertThat(read("out." + task))
          .isEqualTo("%1$d %2$d 32 %3$d {other} %2$d %1$d\n".formatted(task, gpu, job));
    }
    assertThat(lab.log(job)).isEmpty();
    assertThat(lab.ok("gjob", "show", "" + job).out()).contains("NumTasks=32 Cpus=0");
  }

  @Test
  void a_script_is_run_by_each_task_and_one_that_fails_ends_all_if_that_is_said() {
    lab.up();
    lab.write(
        lab.work().resolve("client.sh"),
        "#!/bin/bash\n[ $1 = 1 ] && exit 7\nsleep 600\necho never\n");
    long job = lab.submit("--spread", "-n3", "--gpus=2", "-K", "client.sh", "{task}");
    lab.awaitState(job, "FAILED");
    assertThat(lab.log(job)).isEqualTo("grun: a task has failed, so the others are ended\n");
  }

  @Test
  void the_lines_of_a_script_are_for_the_programs_in_it() {
    lab.up();
    lab.write(
        lab.work().resolve("job.sh"),
        """
        #!/bin/bash
        # GFLOW --spread -n 3 --gpus 2
        echo once
        srun sh -c 'echo $SLURM_PROCID $CUDA_VISIBLE_DEVICES'
        """);
    long job = lab.submit("job.sh");
    lab.awaitState(job, "COMPLETED");
    assertThat(lab.log(job).lines().sorted()).containsExactly("0 0", "1 1", "2 0", "once");
  }

  @Test
  void starts_are_apart_by_the_pause_and_a_cancel_in_between_ends_it_all() {
    lab.up();
    long job =
        lab.submit(
            "--spread", "-n9", "--gpus=2", "--stagger=500s", "-oat.%t", "sh", "-c", "sleep 600");
    lab.await("the first task", () -> Files.exists(lab.work().resolve("at.0")));
    lab.ok("gcancel", "" + job);
    lab.awaitState(job, "CANCELLED");
    assertThat(lab.work().resolve("at.1")).doesNotExist();

    long quick = lab.submit("--spread", "-n3", "--gpus=2", "--stagger=200ms", "date", "+%s%N");
    lab.awaitState(quick, "COMPLETED");
    List<Long> starts = lab.log(quick).lines().map(Long::parseLong).sorted().toList();
    assertThat(starts.getLast() - starts.getFirst()).isGreaterThan(300_000_000L);
  }

  @Test
  void tasks_that_asked_for_cpus_have_their_own() {
    assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "one CPU only");
    lab.set("GFLOW_CPUS", "2");
    lab.up();
    long job =
        lab.submit(
            "--spread", "-n2", "-c1", "--gpus=1", "grep", "Cpus_allowed_list", "/proc/self/status");
    lab.awaitState(job, "COMPLETED");
    assertThat(lab.log(job).lines().map(line -> line.split("\\s+", 2)[1]).distinct()).hasSize(2);
  }

  @Test
  void the_daemon_may_die_meanwhile() {
    lab.up();
    String line = "until [ -e go ]; do sleep 0.02; done; echo {task}";
    long job = lab.submit("--spread", "-n4", "--gpus=4", "sh", "-c", line);
    lab.awaitState(job, "RUNNING");
    String count = "pgrep -fc 'until.*echo [0-3]'";
    lab.await("all tasks", () -> lab.bash(count).out().strip().equals("4"));
    lab.killDaemon();
    lab.write(lab.work().resolve("go"), "");
    lab.up();
    lab.awaitState(job, "COMPLETED");
    assertThat(lab.log(job).lines().sorted().toList())
        .isEqualTo(IntStream.range(0, 4).mapToObj(Integer::toString).toList());
  }
}
