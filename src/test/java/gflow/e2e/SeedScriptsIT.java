package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Slurm scripts that gflow was asked to run as they are, each as its guide has it. */
class SeedScriptsIT {
  private static final String FOUR_PROGRAMS =
      """
      #!/bin/bash
      #SBATCH --ntasks=4
      #SBATCH --cpus-per-task=4
      #SBATCH --gres=gpu:4
      #SBATCH --gpus-per-task=1
      #SBATCH --time=01:00:00
      #SBATCH --mem-per-cpu=1443
      #SBATCH --partition=ml

      SRUN
      SRUN
      SRUN
      SRUN

      echo "Waiting for all job steps to complete..."
      wait
      echo "All jobs completed!"
      """
          .replace(
              "SRUN",
              "srun --exclusive --gres=gpu:1 --ntasks=1 --cpus-per-task=4 --gpus-per-task=1"
                  + " --mem-per-cpu=1443 some-gpu-application &");

  private static Lab lab(String gpus, String cpus) throws Exception {
    var lab = new Lab("GFLOW_GPUS=" + gpus, "GFLOW_CPUS=" + cpus, "GFLOW_MEM=64G");
    lab.up();
    return lab;
  }

  private static void program(Lab lab, String name, String text) {
    lab.write(lab.work().resolve(name), text).toFile().setExecutable(true);
  }

  private static long submit(Lab lab, String script) {
    lab.write(lab.work().resolve("job.sh"), script);
    return lab.ok("sbatch", "job.sh").id();
  }

  private static List<String> output(Lab lab, long job) {
    return Lab.read(lab.work().resolve("slurm-" + job + ".out")).lines().toList();
  }

  /** Each says where it is, and ends when as many as shall be there together have come. */
  private static String meetsOthers(int together) {
    return """
    #!/bin/bash
    touch "$SLURM_JOB_ID.$SLURM_STEP_ID.here"
    for i in $(seq 100); do
      here=("$SLURM_JOB_ID".*.here)
      [ ${#here[@]} -ge %d ] && break
      sleep 0.05
    done
    echo "gpu $CUDA_VISIBLE_DEVICES of ${#here[@]}"
    sleep 0.3
    rm "$SLURM_JOB_ID.$SLURM_STEP_ID.here"
    """
        .formatted(together);
  }

  @Test
  @SuppressWarnings("unchecked")
  void four_gpu_programs_in_one_job() throws Exception {
    try (var lab = lab("sim:4x24G", "16")) {
      program(lab, "some-gpu-application", meetsOthers(4));

      long job = submit(lab, FOUR_PROGRAMS);
      lab.await("the steps", () -> lab.steps(job).size() == 4);
      var cpus = new ArrayList<Long>();
      lab.steps(job).forEach(step -> cpus.addAll((List<Long>) step.get("cpu_ids")));
      lab.awaitState(job, "COMPLETED");

      assertThat(cpus).as("disjoint").hasSize(16).hasSameSizeAs(new HashSet<>(cpus));
      assertThat(output(lab, job))
          .startsWith("Waiting for all job steps to complete...")
          .endsWith("All jobs completed!")
          .contains("gpu 0 of 4", "gpu 1 of 4", "gpu 2 of 4", "gpu 3 of 4");

      program(lab, "some-gpu-application", meetsOthers(2));
      String halfTheGpus =
          FOUR_PROGRAMS.replace("gpu:4", "gpu:2").replace("#SBATCH --gpus-per-task=1\n", "");
      long half = submit(lab, halfTheGpus);
      lab.awaitState(half, "COMPLETED");
      assertThat(output(lab, half).stream().filter(line -> line.startsWith("gpu")))
          .containsExactlyInAnyOrder("gpu 0 of 2", "gpu 1 of 2", "gpu 0 of 2", "gpu 1 of 2");
    }
  }

  @Test
  void thirty_two_clients_on_four_gpus() throws Exception {
    try (var lab = lab("sim:a100:4x40G", "32")) {
      program(
          lab,
          "launch.sh",
          """
          #!/bin/bash
          export CUDA_VISIBLE_DEVICES=$((SLURM_LOCALID % 4))
          echo "$SLURM_LOCALID $CUDA_VISIBLE_DEVICES of $SLURM_NTASKS_PER_NODE"
          """);

      long job =
          submit(
              lab,
              """
              #!/bin/bash -l
              #SBATCH --nodes=1
              #SBATCH --partition=p.ada
              #SBATCH --gres=gpu:a100:4
              #SBATCH --ntasks-per-node=32
              #SBATCH --time=01:00:00
              srun launch.sh &
              wait
              """);
      lab.awaitState(job, "COMPLETED");

      assertThat(output(lab, job))
          .containsExactlyInAnyOrderElementsOf(
              IntStream.range(0, 32).mapToObj(i -> i + " " + i % 4 + " of 32").toList());
    }
  }

  @Test
  void a_training_run_on_a_gpu_of_a_type() throws Exception {
    try (var lab = lab("sim:a100_80:4x80G", "8")) {
      String lines =
          """
          #!/bin/bash
          #SBATCH --partition=gpu
          #SBATCH --gres=gpu:a100_80:1  # 1× A100 80GB GPU per node
          echo "$CUDA_VISIBLE_DEVICES"
          """;

      long one = submit(lab, lines);
      long four = submit(lab, lines.replace("80:1", "80:4"));
      lab.awaitState(four, "COMPLETED");

      assertThat(output(lab, one)).containsExactly("0");
      assertThat(output(lab, four)).containsExactly("0,1,2,3");
      assertThat(lab.ok("scontrol", "show", "job", "" + one).out()).contains("Partition=gpu");
    }
  }
}
