package gflow.script.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.job.StepRequest;
import gflow.job.StepRequest.Bind;
import gflow.job.StepRequest.Gpus;
import gflow.job.StepRequest.Memory;
import gflow.script.value.BadInput;
import gflow.script.value.ShellWords;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a call of srun means inside a job. */
class StepOptionsTest {
  private static ParsedStep meant(String options, String... job) throws BadInput {
    byte[] block = (String.join("\0", job) + "\0").getBytes(StandardCharsets.UTF_8);
    var words = ShellWords.split(options + " program -x");
    return StepOptions.read(StepOptions.grammar("srun").parse(words), block);
  }

  private static StepRequest request(String options, String... job) throws BadInput {
    return meant(options, job).request();
  }

  @Test
  void a_step_that_says_nothing_has_all_of_the_job() throws BadInput {
    assertThat(request(""))
        .isEqualTo(new StepRequest(1, 1, false, false, new Memory.OfTheJob(), new Gpus.OfTheJob()));
    assertThat(meant("").words()).containsExactly("program", "-x");
    assertThat(meant("").bind()).isEqualTo(new Bind.All());
  }

  @Test
  void what_is_not_said_comes_from_the_variables_of_the_job() throws BadInput {
    assertThat(
            request(
                "",
                "SLURM_NTASKS=4",
                "SLURM_CPUS_PER_TASK=2",
                "SLURM_MEM_PER_CPU=100",
                "SLURM_GPUS_PER_TASK=1"))
        .isEqualTo(
            new StepRequest(
                4, 2, false, false, new Memory.PerCpu(100L << 20), new Gpus.PerTask(1)));
    assertThat(request("-n1 --gres=none", "SLURM_NTASKS=4", "SLURM_GPUS_PER_TASK=1").gpus())
        .isEqualTo(new Gpus.None());
  }

  @Test
  void products_that_no_int_holds_are_counted_or_refused() throws BadInput {
    assertThat(request("-n 65536 -c 65536").cpus()).isEqualTo(1L << 32);
    assertThatThrownBy(() -> request("--ntasks-per-gpu=65536 -G 65535"))
        .hasMessageStartingWith("--ntasks-per-gpu × 65535 GPUs: '4294901760' is not a whole");
    assertThatThrownBy(() -> request("-G 99999")).hasMessageContaining("write 0 to 65536");
    assertThatThrownBy(() -> meant("--gpu-bind=map_gpu:0,-1")).hasMessageContaining("0 to 65536");
    assertThat(new Bind.PerTask(65_536).of(65_535, List.of(1, 2, 3))).hasSizeBetween(1, 3);
  }

  @Test
  void exclusive_and_cpus_per_task_imply_exact() throws BadInput {
    assertThat(request("--exclusive").exact()).isTrue();
    assertThat(request("--exact").exact()).isTrue();
    assertThat(request("-c2").exact()).isTrue();
    assertThat(request("-n2", "SLURM_CPUS_PER_TASK=2").exact()).isFalse();
    assertThat(request("--overlap").overlap()).isTrue();
  }

  @Test
  void gpus_in_all_their_ways() throws BadInput {
    assertThat(request("--gres=gpu:2").gpus()).isEqualTo(new Gpus.Count(2, Optional.empty()));
    assertThat(request("--gres=gpu").gpus()).isEqualTo(new Gpus.Count(1, Optional.empty()));
    assertThat(request("--gres=gpu:h100:2").gpus())
        .isEqualTo(new Gpus.Count(2, Optional.of("h100")));
    assertThat(request("-G 3").gpus()).isEqualTo(new Gpus.Count(3, Optional.empty()));
    assertThat(request("--gpus=0").gpus()).isEqualTo(new Gpus.None());
    assertThat(request("-n2 --gpus-per-task=2").gpus()).isEqualTo(new Gpus.PerTask(2));
    assertThat(meant("-n2 --gpus-per-task=2").bind()).isEqualTo(new Bind.PerTask(2));
    assertThat(request("-n6 --ntasks-per-gpu=2").gpus())
        .isEqualTo(new Gpus.Count(3, Optional.empty()));
    assertThat(meant("-G3 --ntasks-per-gpu=2").bind()).isEqualTo(new Bind.Single(2));
    assertThat(request("-G3 --ntasks-per-gpu=2").tasks()).isEqualTo(6);
  }

  @Test
  void gpus_are_bound_as_it_is_said() throws BadInput {
    assertThat(meant("--gpu-bind=single:2").bind()).isEqualTo(new Bind.Single(2));
    assertThat(meant("--gpu-bind=verbose,per_task:1").bind()).isEqualTo(new Bind.PerTask(1));
    assertThat(meant("--gpu-bind=map_gpu:3,0").bind())
        .isEqualTo(new Bind.Map(List.of(List.of(3), List.of(0))));
    assertThat(meant("--gpu-bind=mask_gpu:0x3,0xc").bind())
        .isEqualTo(new Bind.Map(List.of(List.of(0, 1), List.of(2, 3))));
    assertThat(meant("--gpus-per-task=1 --gpu-bind=none").bind()).isEqualTo(new Bind.All());
  }

  @Test
  void a_list_of_gpus_may_say_how_often_each() throws BadInput {
    assertThat(meant("--gpu-bind=map_gpu:0*2,3").bind())
        .isEqualTo(new Bind.Map(List.of(List.of(0), List.of(0), List.of(3))));
    assertThatThrownBy(() -> meant("--gpu-bind=map_gpu:0*x")).hasMessageContaining("'x'");
  }

  @Test
  void memory_in_all_its_ways() throws BadInput {
    assertThat(request("--mem=0").memory()).isEqualTo(new Memory.Shared());
    assertThat(request("--mem=1000").memory()).isEqualTo(new Memory.Bytes(1000L << 20));
    assertThat(request("--mem-per-cpu=1G").memory()).isEqualTo(new Memory.PerCpu(1L << 30));
  }

  @Test
  void what_is_wrong_is_said() {
    assertThatThrownBy(() -> meant("-N2")).hasMessage("Only allocated 1 nodes asked for 2");
    assertThatThrownBy(() -> meant("-n0")).hasMessageContaining("--ntasks '0'");
    assertThatThrownBy(() -> meant("--gres=tpu:1")).hasMessageContaining("'tpu:1'");
    assertThatThrownBy(() -> meant("--gpu-bind=odd")).hasMessageContaining("single:1");
    assertThatThrownBy(() -> meant("--bogus")).hasMessageContaining("no option --bogus");
    assertThatThrownBy(
            () -> StepOptions.read(StepOptions.grammar("srun").parse(List.of("-n1")), new byte[0]))
        .hasMessageContaining("no program");
  }
}
