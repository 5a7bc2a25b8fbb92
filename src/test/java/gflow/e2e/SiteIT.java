package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Scripts of other sites: their options, and their names for GPUs. */
class SiteIT {
  private static final String SCRIPT =
      """
      #!/bin/bash
      #SBATCH --gres=gpu:a100_80:1
      #SBATCH --nvmps --other=3
      srun --gres=gpu:a100_80:1 sh -c 'echo GPU $GFLOW_GPU_IDS'
      """;

  private final Lab lab = new Lab("GFLOW_GPUS=sim:t4:1x16G,a100:1x80G");

  @AfterEach
  void close() {
    lab.close();
  }

  private Lab.Said submit(String config) {
    lab.configure(config);
    lab.up();
    lab.write(lab.work().resolve("job.sh"), SCRIPT);
    return lab.run("gbatch", "job.sh");
  }

  @Test
  void what_nobody_said_is_known_is_refused() {
    assertThat(submit("").err()).contains("job.sh line 3: there is no option --other");
    lab.write(lab.work().resolve("job.sh"), SCRIPT.replace(" --other=3", ""));
    assertThat(lab.run("gbatch", "job.sh").err()).contains("No GPU of type a100_80 here");
  }

  @Test
  void an_alias_is_the_type_that_it_stands_for() {
    var said =
        submit(
            """
            [slurm]
            ignore_options = ["--nvmps", "--other"]
            [gpu.types]
            a100_80 = "a100"
            """);
    assertThat(said.err())
        .isEqualTo(
            "gbatch: the GPUs here are simulated and have no MPS: --mps does nothing here\n");
    lab.awaitState(said.id(), "COMPLETED");
    assertThat(lab.log(said.id())).isEqualTo("GPU 1\n");
    lab.write(
        lab.work().resolve("steps.sh"),
        """
        #!/bin/bash
        srun -n1 --other=4 echo one --other
        srun --other -n2 sh -c 'echo task $SLURM_PROCID'
        """);
    lab.ok("sbatch", "-n2", "-W", "--other=3", "-o", "steps.out", "steps.sh");
    assertThat(Lab.read(lab.work().resolve("steps.out")).lines().sorted())
        .containsExactly("one --other", "task 0", "task 1");
    assertThat(lab.run("sbatch", "--othre", "steps.sh").err())
        .contains("unrecognized option '--othre'");
    assertThat(lab.run("gbatch", "--other", "steps.sh").err())
        .contains("there is no option --other");
  }

  @Test
  void what_simulated_gpus_cannot_tell_is_said_at_once() {
    lab.up();
    var said = lab.run("gbatch", "--gpus", "1", "--gpu-log", "gpu.csv", "true");
    assertThat(said.err()).contains("simulated and have no figures: --gpu-log writes nothing");
  }

  @Test
  void a_type_that_is_a_label_is_any_gpu_and_that_is_said() {
    var said =
        submit(
            """
            [slurm]
            ignore_options = ["--nvmps", "--other"]
            [gpu]
            unknown_type = "label"
            """);
    assertThat(said.err()).contains("no GPU of type a100_80 is here, so the job gets any: ");
    lab.awaitState(said.id(), "COMPLETED");
    assertThat(lab.log(said.id())).isEqualTo("GPU 0\n");
  }
}
