package gflow.script.env;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.GpuRequest;
import gflow.job.JobSpec;
import gflow.job.Request;
import gflow.script.value.BadInput;
import java.util.List;
import java.util.SortedMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlurmVariablesTest {
  /** Those that tell what was asked for and given; all of them but the new ones of 24.11. */
  private static final Pattern RESOURCES =
      Pattern.compile("SLURM_.*(CPU|GPUS|MEM|TASKS|NPROCS|TASKS_PER).*");

  private static SortedMap<String, String> variables(JobSpec spec) {
    int[] gpus = IntStream.range(0, spec.request().gpus().count()).toArray();
    return JobEnvironmentTest.variables(
        "", JobEnvironmentTest.start(spec, 0, JobEnvironmentTest.gpus(gpus)));
  }

  /** The daemon counts a job that wants the whole machine, here of 16 CPUs and 4 GPUs. */
  private static JobSpec counted(JobSpec spec) {
    Request r = spec.request();
    return spec.asked().has("exclusive")
        ? spec.withRequest(new Request(1, 16, r.memory(), new GpuRequest.Whole(4), r.filter()))
        : spec;
  }

  /** What a Slurm 22.05 with DefMemPerCPU=100 set, less that default. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-n4 --cpus-per-task=4 --gres=gpu:4 --gpus-per-task=1 "
            + "--mem-per-cpu=1443|CPUS_ON_NODE=16 CPUS_PER_TASK=4 GPUS_ON_NODE=4 "
            + "GPUS_PER_TASK=1 JOB_CPUS_PER_NODE=16 JOB_GPUS=0,1,2,3 MEM_PER_CPU=1443 "
            + "NPROCS=4 NTASKS=4 TASKS_PER_NODE=4",
        "--ntasks-per-node=3|CPUS_ON_NODE=3 JOB_CPUS_PER_NODE=3 NPROCS=3 NTASKS=3 "
            + "NTASKS_PER_NODE=3 TASKS_PER_NODE=3",
        "--gpus=2 --cpus-per-gpu=4 --mem-per-gpu=500|CPUS_ON_NODE=8 CPUS_PER_GPU=4 "
            + "GPUS=2 GPUS_ON_NODE=2 JOB_CPUS_PER_NODE=8 JOB_GPUS=0,1 MEM_PER_GPU=500 "
            + "TASKS_PER_NODE=8",
        "--gpus=2 --ntasks-per-gpu=2|CPUS_ON_NODE=4 GPUS=2 GPUS_ON_NODE=2 "
            + "JOB_CPUS_PER_NODE=4 JOB_GPUS=0,1 NPROCS=4 NTASKS=4 NTASKS_PER_GPU=2 "
            + "TASKS_PER_NODE=4",
        "-n4 --ntasks-per-gpu=2|CPUS_ON_NODE=4 GPUS_ON_NODE=2 JOB_CPUS_PER_NODE=4 "
            + "JOB_GPUS=0,1 NPROCS=4 NTASKS=4 NTASKS_PER_GPU=2 TASKS_PER_NODE=4",
        "-n3 --gpus=2 --cpus-per-gpu=4|CPUS_ON_NODE=8 CPUS_PER_GPU=4 GPUS=2 "
            + "GPUS_ON_NODE=2 JOB_CPUS_PER_NODE=8 JOB_GPUS=0,1 NPROCS=3 NTASKS=3 "
            + "TASKS_PER_NODE=3",
        "--gpus=4 --gpus-per-task=2|CPUS_ON_NODE=2 GPUS=4 GPUS_ON_NODE=4 "
            + "GPUS_PER_TASK=2 JOB_CPUS_PER_NODE=2 JOB_GPUS=0,1,2,3 NPROCS=2 NTASKS=2 "
            + "TASKS_PER_NODE=2",
        "--gpus-per-node=2|CPUS_ON_NODE=1 GPUS_ON_NODE=2 GPUS_PER_NODE=2 "
            + "JOB_CPUS_PER_NODE=1 JOB_GPUS=0,1 TASKS_PER_NODE=1",
        "--gpus-per-node=h100:2|CPUS_ON_NODE=1 GPUS_ON_NODE=2 GPUS_PER_NODE=h100:2 "
            + "JOB_CPUS_PER_NODE=1 JOB_GPUS=0,1 TASKS_PER_NODE=1",
        "--gpus=h100:2|CPUS_ON_NODE=1 GPUS=h100:2 GPUS_ON_NODE=2 JOB_CPUS_PER_NODE=1 "
            + "JOB_GPUS=0,1 TASKS_PER_NODE=1",
        "--exclusive|CPUS_ON_NODE=16 GPUS_ON_NODE=4 JOB_CPUS_PER_NODE=16 "
            + "JOB_GPUS=0,1,2,3 TASKS_PER_NODE=16",
        "--exclusive --gres=gpu:1 --mem=1G|CPUS_ON_NODE=16 GPUS_ON_NODE=4 "
            + "JOB_CPUS_PER_NODE=16 JOB_GPUS=0,1,2,3 MEM_PER_NODE=1024 TASKS_PER_NODE=16",
        "--exclusive -n4|CPUS_ON_NODE=16 GPUS_ON_NODE=4 JOB_CPUS_PER_NODE=16 "
            + "JOB_GPUS=0,1,2,3 NPROCS=4 NTASKS=4 TASKS_PER_NODE=4",
        "--exclusive -c3|CPUS_ON_NODE=16 CPUS_PER_TASK=3 GPUS_ON_NODE=4 "
            + "JOB_CPUS_PER_NODE=16 JOB_GPUS=0,1,2,3 TASKS_PER_NODE=5",
        "--mem=0|CPUS_ON_NODE=1 JOB_CPUS_PER_NODE=1 TASKS_PER_NODE=1",
        "-N1 -c2|CPUS_ON_NODE=2 CPUS_PER_TASK=2 JOB_CPUS_PER_NODE=2 TASKS_PER_NODE=1",
        "--mem=1500K|CPUS_ON_NODE=1 JOB_CPUS_PER_NODE=1 MEM_PER_NODE=2 " + "TASKS_PER_NODE=1",
        "--mem-per-cpu=1G -c2 -n2|CPUS_ON_NODE=4 CPUS_PER_TASK=2 JOB_CPUS_PER_NODE=4 "
            + "MEM_PER_CPU=1024 NPROCS=2 NTASKS=2 TASKS_PER_NODE=2",
        "-c2 --ntasks-per-node=2 --gpus-per-task=1|CPUS_ON_NODE=4 CPUS_PER_TASK=2 "
            + "GPUS_ON_NODE=2 GPUS_PER_TASK=1 JOB_CPUS_PER_NODE=4 JOB_GPUS=0,1 NPROCS=2 "
            + "NTASKS=2 NTASKS_PER_NODE=2 TASKS_PER_NODE=2",
        "-N1-3|CPUS_ON_NODE=1 JOB_CPUS_PER_NODE=1 TASKS_PER_NODE=1",
        "-n2 --nodes=1 --tasks-per-node=2|CPUS_ON_NODE=2 JOB_CPUS_PER_NODE=2 NPROCS=2 "
            + "NTASKS=2 NTASKS_PER_NODE=2 TASKS_PER_NODE=2",
      })
  void resources_are_told_as_a_real_slurm_told_them(String options, String told) throws BadInput {
    JobSpec spec = counted(JobEnvironmentTest.spec(options.split(" ")));

    List<String> ours =
        variables(spec).entrySet().stream()
            .filter(e -> RESOURCES.matcher(e.getKey()).matches())
            .map(e -> e.toString().substring("SLURM_".length()))
            .filter(e -> !e.startsWith("TRES_PER_TASK"))
            .toList();

    assertThat(ours).containsExactlyInAnyOrder(told.split(" "));
  }

  @Test
  void what_24_11_adds_is_told_too() throws BadInput {
    assertThat(variables(JobEnvironmentTest.spec("-c2", "-t1")))
        .containsEntry("SLURM_TRES_PER_TASK", "cpu=2")
        .containsEntry("SLURM_JOB_START_TIME", "1000")
        .containsEntry("SLURM_JOB_END_TIME", "1060")
        .containsEntry("SLURM_OOM_KILL_STEP", "0")
        .doesNotContainKeys("SLURM_NODE_ALIASES", "SLURM_WORKING_CLUSTER");
  }

  @Test
  void gpus_are_told_to_every_maker_and_to_nobody_if_there_are_none() throws BadInput {
    assertThat(variables(JobEnvironmentTest.spec("--gpus=2")))
        .containsEntry("CUDA_VISIBLE_DEVICES", "0,1")
        .containsEntry("GPU_DEVICE_ORDINAL", "0,1")
        .containsEntry("ROCR_VISIBLE_DEVICES", "0,1")
        .containsEntry("ZE_AFFINITY_MASK", "0,1");
    assertThat(variables(JobEnvironmentTest.spec()))
        .containsEntry("CUDA_VISIBLE_DEVICES", "")
        .doesNotContainKeys("GPU_DEVICE_ORDINAL", "ROCR_VISIBLE_DEVICES", "SLURM_JOB_GPUS");
    assertThat(variables(JobEnvironmentTest.spec("--gpus=0.5"))).doesNotContainKey("SLURM_GPUS");
  }

  @Test
  void labels_that_slurm_knows_are_told() throws BadInput {
    assertThat(variables(JobEnvironmentTest.spec("-A", "lab", "-q", "high", "-p", "gpu")))
        .containsEntry("SLURM_JOB_ACCOUNT", "lab")
        .containsEntry("SLURM_JOB_QOS", "high")
        .containsEntry("SLURM_JOB_PARTITION", "gpu");
  }
}
