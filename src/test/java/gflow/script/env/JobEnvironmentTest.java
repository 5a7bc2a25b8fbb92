package gflow.script.env;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Allocation;
import gflow.job.GpuId;
import gflow.job.GpuNaming;
import gflow.job.GpuPart;
import gflow.job.JobId;
import gflow.job.JobSpec;
import gflow.job.Ranges;
import gflow.job.TaskId;
import gflow.script.order.Defaults;
import gflow.script.order.Order;
import gflow.script.order.Orders;
import gflow.script.order.OrdersTest;
import gflow.script.value.BadInput;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class JobEnvironmentTest {
  private static final JobEnvironment.Place PLACE =
      new JobEnvironment.Place(
          "box", "/log", "/tmp/j", Optional.empty(), "m.1", Optional.empty(), Optional.empty());

  private static final Instant BEGAN = Instant.ofEpochSecond(1000, 999);

  static JobSpec spec(String... options) throws BadInput {
    Order order = OrdersTest.order(OrdersTest.command("python"), options);
    return Orders.draft(order, Instant.EPOCH, ZoneOffset.UTC, Defaults.NONE).spec();
  }

  static Allocation gpus(int... indices) {
    var grants = new java.util.ArrayList<Allocation.GpuGrant>();
    for (int i : indices) {
      grants.add(new Allocation.GpuGrant(new GpuId("GPU-" + i), i, GpuPart.WHOLE, 0));
    }
    return new Allocation(grants, Ranges.EMPTY, 0, 29500);
  }

  static JobEnvironment.Start start(JobSpec spec, int offset, Allocation allocation) {
    return new JobEnvironment.Start(
        spec, new TaskId(new JobId(40), offset, spec.tasks().base()), 1, allocation, BEGAN, PLACE);
  }

  private static byte[] block(byte[] user, JobEnvironment.Start start) {
    return JobEnvironment.of(Environment.of(user), start).block();
  }

  static SortedMap<String, String> variables(String user, JobEnvironment.Start start) {
    byte[] block = block(user.replace('~', '\0').getBytes(UTF_8), start);
    var map = new TreeMap<String, String>();
    for (String entry : Environment.of(block).entries()) {
      int equals = entry.indexOf('=');
      assertThat(map.put(entry.substring(0, equals), entry.substring(equals + 1)))
          .as("set once: " + entry)
          .isNull();
    }
    return map;
  }

  @Test
  void a_plain_job_gets_these_variables() throws BadInput {
    assertThat(variables("", start(spec(), 0, gpus())).entrySet().stream().map(Object::toString))
        .containsExactly(
            "CUDA_DEVICE_ORDER=PCI_BUS_ID",
            "CUDA_VISIBLE_DEVICES=",
            "ENVIRONMENT=BATCH",
            "GFLOW_GPU_IDS=",
            "GFLOW_GPU_UUIDS=",
            "GFLOW_JOB_CPUS=1",
            "GFLOW_JOB_ID=40",
            "GFLOW_JOB_LOG=/log",
            "GFLOW_JOB_NAME=python",
            "GFLOW_MARK=m.1",
            "GFLOW_PORT=29500",
            "GFLOW_RESTART_COUNT=0",
            "GFLOW_SET=OMPI_MCA_hwloc_base_binding_policy:33af38,"
                + "PRTE_MCA_hwloc_default_binding_policy:33af38,TMPDIR:56c9a2a3,"
                + "TORCHINDUCTOR_CACHE_DIR:f061a9d0,"
                + "PET_MASTER_PORT:2db4d4e,"
                + "MASTER_ADDR:59c3b57d,"
                + "MASTER_PORT:2db4d4e,PYTHONUNBUFFERED:31,HOSTNAME:17dcb,ENVIRONMENT:3c0df1a",
            "GFLOW_SUBMIT_DIR=/home/eva",
            "HOSTNAME=box",
            "MASTER_ADDR=127.0.0.1",
            "MASTER_PORT=29500",
            "OMPI_MCA_hwloc_base_binding_policy=none",
            "PET_MASTER_PORT=29500",
            "PRTE_MCA_hwloc_default_binding_policy=none",
            "PYTHONUNBUFFERED=1",
            "SLURMD_NODENAME=box",
            "SLURM_CLUSTER_NAME=gflow",
            "SLURM_CPUS_ON_NODE=1",
            "SLURM_GTIDS=0",
            "SLURM_JOBID=40",
            "SLURM_JOB_CPUS_PER_NODE=1",
            "SLURM_JOB_GID=1000",
            "SLURM_JOB_ID=40",
            "SLURM_JOB_NAME=python",
            "SLURM_JOB_NODELIST=box",
            "SLURM_JOB_NUM_NODES=1",
            "SLURM_JOB_PARTITION=local",
            "SLURM_JOB_START_TIME=1000",
            "SLURM_JOB_UID=1000",
            "SLURM_JOB_USER=eva",
            "SLURM_LOCALID=0",
            "SLURM_NNODES=1",
            "SLURM_NODEID=0",
            "SLURM_NODELIST=box",
            "SLURM_OOM_KILL_STEP=0",
            "SLURM_PRIO_PROCESS=0",
            "SLURM_PROCID=0",
            "SLURM_SUBMIT_DIR=/home/eva",
            "SLURM_SUBMIT_HOST=box",
            "SLURM_TASKS_PER_NODE=1",
            "SLURM_TOPOLOGY_ADDR=box",
            "SLURM_TOPOLOGY_ADDR_PATTERN=node",
            "TMPDIR=/tmp/j",
            "TORCHINDUCTOR_CACHE_DIR=/tmp/torchinductor_eva");
  }

  @Test
  void gpus_cpus_tasks_and_memory_are_told() throws BadInput {
    JobSpec spec = spec("--gpus=2", "-c2", "-n4", "--mem=2G");

    assertThat(variables("", start(spec, 0, gpus(1, 2))))
        .containsEntry("CUDA_VISIBLE_DEVICES", "1,2")
        .containsEntry("GFLOW_GPU_UUIDS", "GPU-1,GPU-2")
        .containsEntry("SLURM_JOB_GPUS", "1,2")
        .containsEntry("SLURM_GPUS_ON_NODE", "2")
        .containsEntry("SLURM_CPUS_PER_TASK", "2")
        .containsEntry("SLURM_CPUS_ON_NODE", "8")
        .containsEntry("SLURM_NTASKS", "4")
        .containsEntry("SLURM_TASKS_PER_NODE", "4")
        .containsEntry("SLURM_MEM_PER_NODE", "2048")
        .containsEntry("OMP_NUM_THREADS", "2");
  }

  @Test
  void an_array_task_knows_its_place() throws BadInput {
    assertThat(variables("", start(spec("--array=3-7:2"), 2, gpus())))
        .containsEntry("SLURM_JOB_ID", "43")
        .containsEntry("GFLOW_JOB_ID", "43")
        .containsEntry("SLURM_ARRAY_JOB_ID", "40")
        .containsEntry("GFLOW_ARRAY_JOB_ID", "40")
        .containsEntry("SLURM_ARRAY_TASK_ID", "7")
        .containsEntry("GFLOW_ARRAY_TASK_ID", "7")
        .containsEntry("GFLOW_ARRAY_TASK_COUNT", "3")
        .containsEntry("SLURM_ARRAY_TASK_COUNT", "3")
        .containsEntry("SLURM_ARRAY_TASK_MIN", "3")
        .containsEntry("SLURM_ARRAY_TASK_MAX", "7")
        .containsEntry("SLURM_ARRAY_TASK_STEP", "2");
    assertThat(variables("", start(spec("--array=0,5,9-12"), 0, gpus())))
        .containsEntry("SLURM_ARRAY_TASK_STEP", "1");
  }

  @Test
  void a_sweep_task_gets_its_parameters_as_variables() throws BadInput {
    JobSpec spec = spec("--param", "lr=0.1,0.2", "--param", "seed=1:3");

    assertThat(variables("lr=9~", start(spec, 4, gpus())))
        .containsEntry("lr", "0.2")
        .containsEntry("seed", "2")
        .containsEntry("GFLOW_PARAM_lr", "0.2")
        .containsEntry("GFLOW_PARAM_seed", "2");
  }

  @Test
  void what_the_user_set_stays_unless_it_must_not() throws BadInput {
    JobSpec spec = spec("-c4");

    assertThat(
            variables(
                "OMP_NUM_THREADS=~TMPDIR=/mine~MASTER_PORT=1~CUDA_VISIBLE_DEVICES=7~"
                    + "CUDA_DEVICE_ORDER=FASTEST_FIRST~SLURM_JOB_ID=9~",
                start(spec, 0, gpus(3))))
        .containsEntry("OMP_NUM_THREADS", "")
        .containsEntry("TMPDIR", "/mine")
        .doesNotContainKey("TORCHINDUCTOR_CACHE_DIR")
        .containsEntry("MASTER_PORT", "1")
        .containsEntry("CUDA_VISIBLE_DEVICES", "3")
        .containsEntry("CUDA_DEVICE_ORDER", "PCI_BUS_ID")
        .containsEntry("SLURM_JOB_ID", "40");
  }

  @Test
  void the_users_bytes_come_first_and_untouched() throws BadInput {
    byte[] user = "Z=\u00ff\u00fe\0BASH_FUNC_m%%=() {\n}\0A=\0".getBytes(ISO_8859_1);

    byte[] block = block(user, start(spec(), 0, gpus()));

    assertThat(block).startsWith(user);
    assertThat(block[block.length - 1]).isZero();
  }

  @Test
  void behind_a_fence_gpus_count_from_0_and_the_machines_numbers_are_told_too() throws BadInput {
    assertThat(variables("", start(spec("--fence", "--gpus=2"), 0, gpus(5, 7))))
        .containsEntry("CUDA_VISIBLE_DEVICES", "0,1")
        .containsEntry("ROCR_VISIBLE_DEVICES", "0,1")
        .containsEntry("SLURM_JOB_GPUS", "5,7")
        .containsEntry("GFLOW_GPU_IDS", "5,7");
    assertThat(variables("", start(spec("--no-fence", "--gpus=2"), 0, gpus(5, 7))))
        .containsEntry("CUDA_VISIBLE_DEVICES", "5,7");
  }

  private static JobEnvironment.Start withMps(
      JobSpec spec, Allocation allocation, GpuNaming naming) {
    var gpus = new JobEnvironment.Gpus(naming, Optional.of("/run/mps/x"));
    var task = new TaskId(new JobId(40));
    return new JobEnvironment.Start(spec, task, 1, allocation, BEGAN, PLACE, gpus);
  }

  @Test
  void with_mps_a_program_finds_its_server_and_counts_as_that_does() throws BadInput {
    assertThat(variables("", withMps(spec("--gpus=2"), gpus(7, 5), GpuNaming.UUID)))
        .containsEntry("CUDA_MPS_PIPE_DIRECTORY", "/run/mps/x/pipe")
        .containsEntry("CUDA_MPS_LOG_DIRECTORY", "/run/mps/x/log")
        .containsEntry("CUDA_VISIBLE_DEVICES", "GPU-7,GPU-5")
        .doesNotContainKey("CUDA_MPS_PINNED_DEVICE_MEM_LIMIT");
    assertThat(variables("", withMps(spec("--gpus=2"), gpus(7, 5), GpuNaming.OWN)))
        .containsEntry("CUDA_VISIBLE_DEVICES", "1,0")
        .containsEntry("SLURM_JOB_GPUS", "7,5");
    assertThat(GpuNaming.of(false, true, false)).isEqualTo(GpuNaming.UUID);
    assertThat(GpuNaming.of(false, true, true)).isEqualTo(GpuNaming.OWN);
    assertThat(GpuNaming.of(true, true, false)).isEqualTo(GpuNaming.OWN);
    assertThat(GpuNaming.of(false, false, true)).isEqualTo(GpuNaming.MACHINE);
  }

  @Test
  void a_promise_that_is_enforced_is_kept_by_the_server_too() throws BadInput {
    var half = new Allocation.GpuGrant(new GpuId("GPU-1"), 1, GpuPart.of(1, 2), 12L << 30);
    var part = new Allocation(List.of(half), Ranges.EMPTY, 0);

    assertThat(
            variables(
                "",
                withMps(spec("--gpus=1/2", "--gpu-memory-limit=enforce"), part, GpuNaming.UUID)))
        .containsEntry("CUDA_MPS_PINNED_DEVICE_MEM_LIMIT", "0=12288M");
    assertThat(variables("", withMps(spec("--gpus=1/2"), part, GpuNaming.UUID)))
        .doesNotContainKey("CUDA_MPS_PINNED_DEVICE_MEM_LIMIT");
  }

  @Test
  void the_server_of_an_outer_job_is_not_that_of_the_inner_one() throws BadInput {
    byte[] outer = block("A=b\0".getBytes(ISO_8859_1), withMps(spec(), gpus(1), GpuNaming.UUID));

    assertThat(new String(Exports.apply(outer, "all").block(), ISO_8859_1))
        .contains("A=b")
        .doesNotContain("CUDA_MPS");
  }

  @Test
  void a_server_that_the_user_runs_himself_is_found_as_ever() throws BadInput {
    assertThat(variables("CUDA_MPS_PIPE_DIRECTORY=/mine~", start(spec(), 0, gpus(1))))
        .containsEntry("CUDA_MPS_PIPE_DIRECTORY", "/mine");
  }

  @Test
  void a_restart_a_config_and_the_submit_folder_are_told() throws BadInput {
    var place =
        new JobEnvironment.Place(
            "box", "/log", "/t", Optional.of("/c/c.yaml"), "m", Optional.empty(), Optional.empty());
    var task = new TaskId(new JobId(4));
    var second = new JobEnvironment.Start(spec(), task, 2, gpus(), BEGAN, place);

    assertThat(variables("GFLOW_SUBMIT_DIR=/from~", second))
        .containsEntry("GFLOW_RESTART_COUNT", "1")
        .containsEntry("SLURM_RESTART_COUNT", "1")
        .containsEntry("GFLOW_JOB_CONFIG", "/c/c.yaml")
        .containsEntry("GFLOW_SUBMIT_DIR", "/from")
        .containsEntry("SLURM_SUBMIT_DIR", "/from");
  }

  @Test
  void a_job_that_speaks_slurm_finds_its_own_master() throws BadInput {
    JobSpec slurms = spec("--slurm");

    assertThat(variables("", start(slurms, 0, gpus())))
        .containsEntry("GFLOW_PORT", "29500")
        .containsEntry("PET_MASTER_PORT", "29500")
        .doesNotContainKeys("MASTER_ADDR", "MASTER_PORT");
    assertThat(variables("MASTER_PORT=1~", start(slurms, 0, gpus())))
        .containsEntry("MASTER_PORT", "1");
  }

  @Test
  void a_conda_environment_comes_first_in_the_path() throws BadInput {
    JobSpec spec = spec("--conda-env=ml", "--conda-prefix=/opt/conda/envs/ml");

    assertThat(variables("PATH=/usr/bin~CONDA_PREFIX=/opt/conda~", start(spec, 0, gpus())))
        .containsEntry("PATH", "/opt/conda/envs/ml/bin:/usr/bin")
        .containsEntry("CONDA_PREFIX", "/opt/conda/envs/ml")
        .containsEntry("CONDA_DEFAULT_ENV", "ml");
    assertThat(variables("", start(spec, 0, gpus())))
        .containsEntry("PATH", "/opt/conda/envs/ml/bin:/usr/local/bin:/usr/bin:/bin");
  }

  @Test
  void slurms_names_for_our_commands_come_first_in_the_path_and_once() throws BadInput {
    var place =
        new JobEnvironment.Place(
            "box",
            "/log",
            "/t",
            Optional.empty(),
            "m",
            Optional.of("/opt/gflow/slurm"),
            Optional.of("/sim"));
    JobSpec spec = spec("--conda-env=ml", "--conda-prefix=/ml");
    var start = new JobEnvironment.Start(spec, new TaskId(new JobId(4)), 1, gpus(), BEGAN, place);

    assertThat(variables("PATH=/usr/bin:/opt/gflow/slurm:/bin~", start))
        .containsEntry("PATH", "/sim/bin:/opt/gflow/slurm:/ml/bin:/usr/bin:/bin");
  }

  @Test
  void a_job_submitted_inside_a_job_inherits_nothing_of_it() throws BadInput {
    JobSpec spec = spec("-c2", "--param", "lr=1");
    byte[] outer = block("HOME=/h\0".getBytes(UTF_8), start(spec, 0, gpus(1)));

    byte[] inner = Exports.apply(outer, "ALL").block();

    assertThat(new String(inner, UTF_8)).isEqualTo("HOME=/h\0");
  }
}
