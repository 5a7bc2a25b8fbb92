package gflow.script.step;

import gflow.job.StepRequest.Bind;
import gflow.script.env.Environment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What the tasks of a step get besides the job's own variables: as Slurm has it, and the mark. */
public final class StepEnvironment {
  /** By these a task of an MPI program finds the others. */
  static final List<String> PMI = List.of("PMI_RANK", "PMI_SIZE", "PMI_FD", "PMI_JOBID");

  /** What {@code --preserve-env} leaves; the nodes are one in any case. */
  static final List<String> PRESERVED = List.of("SLURM_NTASKS", "SLURM_NPROCS");

  /** A step that may run; behind a fence its GPUs are seen by other numbers. */
  public record Start(
      long job,
      int number,
      ParsedStep meant,
      int cpus,
      List<Integer> cpuIds,
      List<Integer> gpuIds,
      List<String> gpuUuids,
      List<Integer> seenGpus,
      boolean byUuid,
      String host,
      String mark,
      int umask) {
    public Start {
      cpuIds = List.copyOf(cpuIds);
      gpuIds = List.copyOf(gpuIds);
      gpuUuids = List.copyOf(gpuUuids);
      seenGpus = List.copyOf(seenGpus);
    }
  }

  private StepEnvironment() {}

  /** Of the k-th task. */
  public static SequencedMap<String, String> variables(Start start, int task) {
    int tasks = start.meant().request().tasks();
    String number = Integer.toString(start.number());
    var all = new LinkedHashMap<>(start.meant().exports().set());
    all.put("GFLOW_STEP_ID", number);
    all.put("GFLOW_STEP_MARK", start.mark());
    all.put("SLURM_STEP_ID", number);
    all.put("SLURM_STEPID", number);
    all.put("SLURM_STEP_NODELIST", start.host());
    all.put("SLURM_STEP_NUM_NODES", "1");
    all.put("SLURM_STEP_NUM_TASKS", Integer.toString(tasks));
    all.put("SLURM_STEP_TASKS_PER_NODE", Integer.toString(tasks));
    PRESERVED.forEach(name -> all.putIfAbsent(name, Integer.toString(tasks)));
    all.put("SLURM_TASKS_PER_NODE", Integer.toString(tasks));
    all.put("SLURM_PROCID", Integer.toString(task));
    all.put("SLURM_LOCALID", Integer.toString(task));
    all.put("SLURM_NODEID", "0");
    all.put("SLURM_GTIDS", joined(IntStream.range(0, tasks).boxed().toList()));
    all.put("SLURM_CPUS_ON_NODE", Integer.toString(start.cpus()));
    all.put("SLURM_DISTRIBUTION", tasks > 1 ? "block" : "cyclic");
    all.put("SLURM_UMASK", "%04o".formatted(start.umask()));
    all.put("SLURM_LAUNCH_NODE_IPADDR", "127.0.0.1");
    all.put("SRUN_DEBUG", "3");
    start.meant().name().ifPresent(name -> all.put("SLURM_JOB_NAME", name));
    if (start.meant().cpusPerTask().isPresent()) {
      all.put("SLURM_CPUS_PER_TASK", Integer.toString(start.meant().cpusPerTask().getAsInt()));
    }
    gpus(all, start, task);
    return all;
  }

  /** Without a GPU the list is empty and not unset: unset means all that there are. */
  private static void gpus(SequencedMap<String, String> all, Start start, int task) {
    Bind bind = start.meant().bind();
    String seen = joined(bind.of(task, start.seenGpus()));
    String uuids = String.join(",", bind.of(task, start.gpuUuids()));
    all.put("CUDA_VISIBLE_DEVICES", start.byUuid() || uuids.contains("MIG-") ? uuids : seen);
    all.put("GFLOW_GPU_IDS", joined(bind.of(task, start.gpuIds())));
    all.put("GFLOW_GPU_UUIDS", uuids);
    if (!start.gpuIds().isEmpty()) {
      all.put("GPU_DEVICE_ORDINAL", seen);
      all.put("ROCR_VISIBLE_DEVICES", seen);
      all.put("ZE_AFFINITY_MASK", seen);
      all.put("SLURM_GPUS_ON_NODE", Integer.toString(start.gpuIds().size()));
      all.put("SLURM_STEP_GPUS", joined(start.gpuIds()));
    }
  }

  private static String joined(List<Integer> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  /**
   * The caller's block with the variables of the k-th task, for who starts it itself. What the
   * caller was told as one of another MPI program is not for it.
   */
  public static byte[] block(byte[] caller, Start start, int task, StepPlan.Mpi mpi) {
    var all = variables(start, task);
    if (mpi instanceof StepPlan.Mpi.Pmi) {
      all.put("PMI_RANK", Integer.toString(task));
      all.put("PMI_SIZE", Integer.toString(start.meant().request().tasks()));
      all.put("PMI_FD", Integer.toString(StepPlan.PMI_FD));
      all.put("PMI_JOBID", start.job() + "." + start.number());
    }
    Environment kept =
        Environment.of(caller).keep(name -> !PMI.contains(name) && !mpi.hidden().contains(name));
    return start.meant().exports().apply(kept).with(all).block();
  }

  /** What {@code {task}} and its like stand for in the words of the k-th task. */
  public static SequencedMap<String, String> fields(Start start, int task, byte[] block) {
    var fields = new LinkedHashMap<String, String>();
    fields.put("task", Integer.toString(task));
    fields.put("gpu", joined(start.meant().bind().of(task, start.seenGpus())));
    fields.put("ntasks", Integer.toString(start.meant().request().tasks()));
    fields.put("job", Long.toString(start.job()));
    value(block, "GFLOW_PORT").ifPresent(port -> fields.put("port", port));
    return fields;
  }

  /** Names of the caller's variables that the step is not to have. */
  public static List<String> dropped(Start start) {
    return start.meant().exports().dropped();
  }

  /** A variable of a block, if it is set. */
  public static Optional<String> value(byte[] block, String name) {
    return Environment.of(block).value(name);
  }
}
