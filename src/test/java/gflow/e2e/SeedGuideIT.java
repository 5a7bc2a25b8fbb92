package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.e2e.Lab.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The guide that gflow was first asked for, line by line and in its order: one machine with 4 GPUs,
 * in the folders that a user has without GFLOW_HOME. Where the guide has a smaller machine, so does
 * the test.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SeedGuideIT {
  private Lab lab;

  @BeforeAll
  void start() {
    lab = lab("sim:4x24G");
  }

  @AfterAll
  void end() {
    lab.close();
  }

  /** A test that fails must not hold up the next. */
  @AfterEach
  void letGo() {
    let(lab, "");
  }

  private static Lab lab(String gpus) {
    // Empty counts as not set: the guide's logs are in ~/.local/share/gflow.
    var lab = new Lab("GFLOW_GPUS=" + gpus, "GFLOW_HOME=");
    StandIns.on(lab);
    return lab;
  }

  private static String ok(Lab lab, String lines) {
    Said said = lab.bash("set -e\n" + lines);
    assertThat(said.code()).as(lines + "\n" + said).isZero();
    assertThat(said.err()).as(lines).isEmpty();
    return said.out();
  }

  private String ok(String lines) {
    return ok(lab, lines);
  }

  private static long id(String out) {
    return Long.parseLong(out.strip().replace("Submitted batch job ", ""));
  }

  private static Path file(Lab lab, String name) {
    return lab.work().resolveSibling(name);
  }

  /** Jobs of this script, or all with an empty name, go on until they are let go. */
  private static void hold(Lab lab, String script) {
    lab.write(file(lab, script.isEmpty() ? "hold" : "hold-" + script), "");
  }

  private static void let(Lab lab, String script) {
    try {
      Files.deleteIfExists(file(lab, script.isEmpty() ? "hold" : "hold-" + script));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void letAll() {
    let(lab, "");
    lab.awaitIdle();
  }

  private String log(long job) {
    return ok("cat ~/.local/share/gflow/logs/" + job + ".log");
  }

  /** The row of a job, its columns parted by two spaces. */
  private static String row(String table, long job) {
    return table
        .lines()
        .filter(line -> line.matches(job + " .*"))
        .findFirst()
        .map(line -> line.replaceAll(" {2,}", "  "))
        .orElseThrow(() -> new AssertionError("no job " + job + " in\n" + table));
  }

  @Test
  @Order(1)
  void the_gpus_are_found() {
    ok("nvidia-smi");
    ok("gflowd up");
    String info = ok("ginfo info");
    assertThat(info).startsWith("4 GPUs (simulated), 4 available");
    assertThat(info.lines().filter(line -> line.contains("GPU-")).toList())
        .hasSize(4)
        .allSatisfy(line -> assertThat(line).contains("24G").contains("free"));
  }

  @Test
  @Order(2)
  void gpus_are_asked_for() {
    assertThat(ok("gbatch --gpus 1 python train.py")).isEqualTo("Submitted batch job 1\n");
    assertThat(ok("gbatch --gpus 2 python multi_gpu_train.py"))
        .isEqualTo("Submitted batch job 2\n");
    assertThat(ok("gbatch --gpus 4 python distributed_train.py"))
        .isEqualTo("Submitted batch job 3\n");
    lab.awaitIdle();
    assertThat(log(1)).contains("python train.py on GPU [");
    assertThat(log(3)).contains("on GPU [0,1,2,3]");
  }

  @Test
  @Order(3)
  void a_job_is_told_which_gpus_it_has() {
    hold(lab, "");
    ok("gbatch --gpus 1 --gpu-ids 0 python other.py");
    long two = id(ok("gbatch --gpus 2 --name brave-river-1234 python train.py"));
    long smi = id(ok("gbatch --gpus 1 nvidia-smi"));
    lab.awaitState(two, "RUNNING");
    String table = ok("gqueue -f JOBID,NAME,NODES,NODELIST");
    assertThat(table.lines().findFirst().orElseThrow().split(" {2,}"))
        .containsExactly("JOBID", "NAME", "NODES", "NODELIST(REASON)");
    assertThat(row(table, two)).isEqualTo(two + "  brave-river-1234  2  1,2");
    letAll();
    assertThat(log(two)).contains("on GPU [1,2]");
    assertThat(log(smi)).contains("NVIDIA-SMI simulated by gflow", "Simulated GPU");
  }

  @Test
  @Order(4)
  void a_script_says_itself_what_it_needs() {
    lab.write(
        lab.work().resolve("job.sh"),
        """
        #!/bin/bash
        # GFLOW --gpus 2

        echo "Allocated GPUs: $CUDA_VISIBLE_DEVICES"
        nvidia-smi --query-gpu=index,name,memory.free --format=csv
        python train.py
        """);
    long job = id(ok("gbatch job.sh"));
    lab.awaitState(job, "COMPLETED");
    assertThat(log(job))
        .containsPattern("Allocated GPUs: \\d,\\d\n")
        .contains("index, name, memory.free [MiB]", "0, Simulated GPU, 24576 MiB")
        .contains("python train.py");
  }

  @Test
  @Order(5)
  void jobs_queue_for_the_two_gpus_of_a_small_machine() {
    try (Lab small = lab("sim:2x24G")) {
      hold(small, "long_train.py");
      assertThat(ok(small, "gbatch --gpus 2 python long_train.py"))
          .isEqualTo("Submitted batch job 1\n");
      assertThat(ok(small, "gbatch --gpus 1 python train.py")).isEqualTo("Submitted batch job 2\n");
      small.awaitState(1, "RUNNING");
      String queue = ok(small, "gqueue");
      assertThat(queue.lines().findFirst().orElseThrow().split(" {2,}"))
          .containsExactly("JOBID", "NAME", "ST", "TIME", "NODES", "NODELIST(REASON)");
      assertThat(row(queue, 1)).matches("1  python  R  0:\\d\\d  2  0,1");
      assertThat(row(queue, 2)).isEqualTo("2  python  PD  0:00  1  (Resources)");
      let(small, "long_train.py");
      small.awaitState(2, "COMPLETED");
    }
  }

  @Test
  @Order(6)
  void a_job_of_higher_priority_gets_the_gpu_first() {
    hold(lab, "three.py");
    hold(lab, "one.py");
    hold(lab, "urgent_task.py");
    ok("gbatch --gpus 3 python three.py");
    long one = id(ok("gbatch --gpus 1 python one.py"));
    lab.awaitState(one, "RUNNING");
    long low = id(ok("gbatch --priority 5 --gpus 1 python task1.py"));
    long urgent = id(ok("gbatch --priority 100 --gpus 1 python urgent_task.py"));
    let(lab, "one.py");
    lab.awaitState(urgent, "RUNNING");
    assertThat(lab.state(low)).isEqualTo("PENDING");
    let(lab, "urgent_task.py");
    lab.awaitState(low, "COMPLETED");
    let(lab, "three.py");
    lab.awaitIdle();
  }

  @Test
  @Order(7)
  void a_wait_says_what_is_missing() {
    hold(lab, "");
    long resnet = id(ok("gbatch --gpus 1 --name train-resnet python a.py"));
    long bert = id(ok("gbatch --gpus 2 --name train-bert python b.py"));
    long big = id(ok("gbatch --gpus 4 python distributed_train.py"));
    lab.awaitState(bert, "RUNNING");
    assertThat(row(ok("gqueue"), big))
        .isEqualTo(big + "  python  PD  0:00  4  (Resources: Need 4 GPUs, only 1 available)");

    String running = ok("gqueue -s Running -f JOBID,NAME,NODES,NODELIST");
    assertThat(running.lines()).hasSize(3);
    assertThat(row(running, resnet)).matches(resnet + "  train-resnet  1  \\d");
    assertThat(row(running, bert)).matches(bert + "  train-bert  2  \\d,\\d");
    assertThat(ok("ginfo info")).contains("1 available").contains("job " + bert + " train-bert");
    ok("watch -n 1 nvidia-smi");
    letAll();
  }

  @Test
  @Order(8)
  void a_script_made_by_a_heredoc_watches_its_gpu() {
    String out =
        ok(
            """
            cat > monitor_gpu.sh << 'EOF'
            #!/bin/bash
            # GFLOW --gpus 1

            echo "=== GPU Allocation ==="
            echo "CUDA_VISIBLE_DEVICES: $CUDA_VISIBLE_DEVICES"

            echo "=== GPU Details ==="
            nvidia-smi --query-gpu=index,name,memory.total,memory.free,utilization.gpu \\
                       --format=csv

            echo "=== Training ==="
            python train.py
            EOF

            chmod +x monitor_gpu.sh
            gbatch monitor_gpu.sh
            """);
    long job = id(out);
    lab.awaitState(job, "COMPLETED");
    assertThat(log(job))
        .containsPattern("CUDA_VISIBLE_DEVICES: [0-3]\n=== GPU Details ===")
        .contains("utilization.gpu [%]", "0, Simulated GPU, 24576 MiB, 24576 MiB, [N/A]")
        .containsPattern("=== Training ===\npython train.py on GPU \\[[0-3]\\]");
  }

  @Test
  @Order(9)
  void training_on_several_gpus_and_on_none() {
    ok("gbatch --gpus 2 python train.py");
    ok("gbatch --gpus 4 python distributed_train.py");
    ok("gbatch --gpus 2 python tf_train.py");
    ok("nvidia-smi --query-gpu=memory.free --format=csv,noheader,nounits");
    ok("gbatch --gpus 1 python memory_intensive_train.py");
    long cpu = id(ok("gbatch python cpu_task.py"));
    ok("gbatch --gpus 1 python gpu_task.py");
    lab.awaitIdle();
    assertThat(log(cpu)).contains("on GPU []");
  }

  @Test
  @Order(10)
  void a_pipeline_is_built_from_the_numbers_that_gbatch_prints() {
    String out =
        ok(
            """
            ID1=$(gbatch --time 30 python preprocess.py | grep -oP '\\d+')

            ID2=$(gbatch --depends-on $ID1 --gpus 1 --time 4:00:00 \\
                         python train.py | grep -oP '\\d+')

            gbatch --depends-on $ID2 --time 10 python evaluate.py
            """);
    long last = id(out);
    lab.awaitState(last, "COMPLETED");
    var show = ok("gjob show " + (last - 1));
    assertThat(show).contains("Dependency=afterok:" + (last - 2)).contains("TimeLimit=4:00:00");
    assertThat(lab.job(last).get("time_limit")).isEqualTo(600L);
  }

  @Test
  @Order(11)
  void experiments_run_side_by_side_each_with_its_config() {
    for (int i : List.of(1, 2, 3)) {
      lab.write(lab.work().resolve("config" + i + ".yaml"), "lr: 0." + i);
    }
    hold(lab, "");
    ok(
        """
        gbatch --gpus 1 --time 2:00:00 --config config1.yaml --name "exp1" python train.py
        gbatch --gpus 1 --time 2:00:00 --config config2.yaml --name "exp2" python train.py
        gbatch --gpus 1 --time 2:00:00 --config config3.yaml --name "exp3" python train.py
        """);
    lab.await("three at once", () -> ok("gqueue -h -s Running").lines().count() == 3);
    long third = lab.ok("gqueue", "-h", "-n", "exp3", "-f", "JOBID").id();
    letAll();
    assertThat(log(third)).contains("config=lr: 0.3");
  }

  @Test
  @Order(12)
  void a_trial_comes_before_the_full_run() {
    long trial = id(ok("gbatch --gpus 1 --time 1:00:00 python train.py --test-run"));
    long full = id(ok("gbatch --gpus 4 --time 8:00:00 python train.py --full"));
    lab.awaitState(full, "COMPLETED");
    assertThat(log(trial)).contains("python train.py --test-run on");
    assertThat(log(full)).contains("python train.py --full on");
  }

  @Test
  @Order(13)
  void a_loop_submits_a_grid() {
    hold(lab, "");
    String out =
        ok(
            """
            for lr in 0.001 0.01 0.1; do
                for batch_size in 32 64 128; do
                    gbatch --gpus 1 --time 3:00:00 \\
                           --name "lr${lr}_bs${batch_size}" \\
                           python train.py --lr $lr --batch-size $batch_size
                done
            done
            """);
    assertThat(out.lines()).hasSize(9);
    lab.await("four at once", () -> ok("gqueue -h -s Running").lines().count() == 4);
    String table = ok("watch -n 2 'gqueue -s Running,Queued -f JOBID,NAME,NODES,NODELIST'");
    assertThat(table.lines()).hasSize(10);
    assertThat(table).contains("lr0.001_bs32").contains("lr0.1_bs128").contains("(Resources)");
    long last = id(out.lines().toList().getLast());
    assertThat(ok("gqueue -j " + last + " -f JOBID,ST,NODES,NODELIST").lines().toList().getLast())
        .matches(last + " +PD +1 +\\(Resources\\)");
    letAll();
    assertThat(log(last)).contains("python train.py --lr 0.1 --batch-size 128 on");
  }

  @Test
  @Order(14)
  void trouble_is_found_by_looking() {
    hold(lab, "");
    long without = id(ok("gbatch python train.py"));
    long with = id(ok("gbatch --gpus 1 python train.py"));
    lab.awaitState(with, "RUNNING");
    assertThat(ok("gqueue -s Running -f NODES,NODELIST")).startsWith("NODES    NODELIST(REASON)\n");
    ok("ginfo info");
    String gpus = row(ok("gqueue -f JOBID,NODELIST"), with).split(" +", -1)[1];
    String tail = "tail -n 1 ~/.local/share/gflow/logs/" + with + ".log";
    lab.await("its GPU in the log", () -> ok(tail).contains("on GPU [" + gpus + "]"));
    assertThat(row(ok("gqueue -f JOBID,NODES,NODELIST"), without)).isEqualTo(without + "  0  -");
    assertThat(ok("gqueue -s Running -f JOBID,NODES,NODELIST").lines()).hasSize(3);
    ok("nvidia-smi --query-gpu=memory.free,memory.used --format=csv");
    letAll();
  }

  @Test
  @Order(15)
  void a_monitor_in_the_background_ends_with_its_job() {
    lab.write(
        lab.work().resolve("watched.sh"),
        """
        #!/bin/bash
        # GFLOW --gpus 1

        nvidia-smi --query-gpu=utilization.gpu,memory.used --format=csv -l 10 > gpu_stats.log &
        GPU_MONITOR_PID=$!

        python train.py

        kill $GPU_MONITOR_PID
        """);
    hold(lab, "");
    long job = id(ok("gbatch watched.sh"));
    Path stats = lab.work().resolve("gpu_stats.log");
    lab.await("the monitor's first line", () -> Lab.read(stats).contains("[N/A], 0 MiB"));
    letAll();
    lab.awaitState(job, "COMPLETED");
  }

  @Test
  @Order(16)
  void a_machine_without_gpus_runs_everything_else() {
    try (Lab none = lab("sim:0")) {
      assertThat(ok(none, "gbatch python train.py")).isEqualTo("Submitted batch job 1\n");
      none.awaitState(1, "COMPLETED");
      assertThat(ok(none, "ginfo info")).startsWith("No GPUs");
      Said refused = none.bash("gbatch --gpus 1 python train.py");
      assertThat(refused.code()).isEqualTo(1);
      assertThat(refused.err().lines()).hasSize(1);
    }
  }
}
