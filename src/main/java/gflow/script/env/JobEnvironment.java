package gflow.script.env;

import gflow.job.Allocation;
import gflow.job.GpuNaming;
import gflow.job.JobSpec;
import gflow.job.RequestedOptions;
import gflow.job.TaskId;
import gflow.script.value.DisplayNames;
import gflow.script.value.Templates;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** The variables that a job gets from gflow, and how they go into the submitter's own. */
public final class JobEnvironment {
  /** Names and hashes of what gflow set by itself, so that a nested job does not inherit it. */
  static final String SET = "GFLOW_SET";

  /** As Slurm, which does not look whose GPUs they are. */
  private static final List<String> OTHER_MAKERS =
      List.of("GPU_DEVICE_ORDINAL", "ROCR_VISIBLE_DEVICES", "ZE_AFFINITY_MASK");

  /** The folder with the device files of simulated GPUs. */
  static final String SIMULATED_GPUS = "GFLOW_SIMULATED_GPUS";

  private static final String MPS = "CUDA_MPS_";

  /** In the folder of an MPS server: its sockets, and what it writes. */
  public static final String MPS_PIPE = "pipe";

  public static final String MPS_LOG = "log";

  static final String SUBMIT_DIR = "GFLOW_SUBMIT_DIR";

  /** An attempt that is about to start. */
  public record Start(
      JobSpec spec,
      TaskId task,
      int attempt,
      Allocation allocation,
      Instant startedAt,
      Place place,
      Gpus gpus) {
    public Start(
        JobSpec spec,
        TaskId task,
        int attempt,
        Allocation allocation,
        Instant startedAt,
        Place place) {
      this(spec, task, attempt, allocation, startedAt, place, Gpus.of(spec));
    }

    int restarts() {
      return attempt - 1;
    }
  }

  /**
   * Where it runs: host, files, the mark by which its processes are known, the folder with Slurm's
   * names for our commands, and that of the GPUs if they are simulated.
   */
  public record Place(
      String host,
      String log,
      String tmp,
      Optional<String> config,
      String mark,
      Optional<String> slurmsNames,
      Optional<String> simulatedGpus) {}

  /** How it names its GPUs, and the folder of its MPS server. */
  public record Gpus(GpuNaming naming, Optional<String> mps) {
    static Gpus of(JobSpec spec) {
      boolean fenced = spec.fence().isPresent();
      return new Gpus(GpuNaming.of(fenced, false, false), Optional.empty());
    }
  }

  /** {@code forced}: set even if the user set it. */
  public record Variable(String name, String value, boolean forced) {}

  /** Where torch.compile keeps what it has compiled. */
  private static final String COMPILED = "TORCHINDUCTOR_CACHE_DIR";

  private JobEnvironment() {}

  /** The submitter's with the job's variables: the user's bytes first, as they were. */
  public static Environment of(Environment user, Start start) {
    String submitDir = user.value(SUBMIT_DIR).orElse(start.spec().scene().folder());
    Set<String> own = user.names();
    var added = new LinkedHashMap<String, String>();
    var marks = new ArrayList<String>();
    for (Variable variable : variables(start, submitDir)) {
      if (isWanted(variable, own)) {
        added.put(variable.name(), variable.value());
        // A job that is submitted from this one has a server of its own, or none.
        if (!variable.forced() || variable.name().startsWith(MPS)) {
          marks.add(mark(variable.name(), variable.value()));
        }
      }
    }
    for (var parameter : parameters(start).entrySet()) {
      added.put(parameter.getKey(), parameter.getValue());
      marks.add(mark(parameter.getKey(), parameter.getValue()));
    }
    added.put(SET, String.join(",", marks));
    Environment whole = conda(user.with(added), start);
    // A script that says sbatch or srun means this machine's scheduler, also beside a real Slurm.
    Environment named = start.place().slurmsNames().map(whole::withFirstInPath).orElse(whole);
    return withSimulatedGpus(named, start.place().simulatedGpus());
  }

  /** Their nvidia-smi goes before a real one. */
  static Environment withSimulatedGpus(Environment environment, Optional<String> folder) {
    return folder.map(gpus -> environment.withFirstInPath(gpus + "/bin")).orElse(environment);
  }

  /** Where the user has a temporary folder of his own, the cache in it is found as ever. */
  private static boolean isWanted(Variable variable, Set<String> own) {
    boolean found = variable.name().equals(COMPILED) && own.contains("TMPDIR");
    return variable.forced() || !(own.contains(variable.name()) || found);
  }

  static String mark(String name, String value) {
    return name + ":" + Integer.toHexString(value.hashCode());
  }

  static List<Variable> variables(Start start, String submitDir) {
    var all = new Variables();
    gpus(all, start);
    identity(all, start, submitDir);
    SlurmVariables.add(all, start, submitDir);
    comfort(all, start);
    parameters(start).forEach((name, value) -> all.force("GFLOW_PARAM_" + name, value));
    return all.list();
  }

  private static void gpus(Variables all, Start start) {
    String seen = seen(start);
    all.force("CUDA_VISIBLE_DEVICES", seen);
    all.force("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
    if (!start.allocation().gpus().isEmpty()) {
      OTHER_MAKERS.forEach(name -> all.force(name, seen));
    }
    all.force("GFLOW_GPU_IDS", indices(start));
    start.place().simulatedGpus().ifPresent(folder -> all.force(SIMULATED_GPUS, folder));
    all.force("GFLOW_GPU_UUIDS", uuids(start));
    start.gpus().mps().ifPresent(folder -> mps(all, start, folder));
  }

  private static String seen(Start start) {
    List<Integer> numbers = start.allocation().gpuIndices();
    if (start.allocation().hasMig()) {
      return start.allocation().visible();
    }
    return switch (start.gpus().naming()) {
      case MACHINE -> start.allocation().visible();
      case OWN -> joined(SeenGpus.of(numbers, numbers));
      case UUID -> uuids(start);
    };
  }

  private static String uuids(Start start) {
    return start.allocation().gpus().stream()
        .map(grant -> grant.gpu().uuid())
        .collect(Collectors.joining(","));
  }

  /** A program that does not find its server there runs without it, and says nothing. */
  private static void mps(Variables all, Start start, String folder) {
    all.force(MPS + "PIPE_DIRECTORY", folder + "/" + MPS_PIPE);
    all.force(MPS + "LOG_DIRECTORY", folder + "/" + MPS_LOG);
    List<Allocation.GpuGrant> gpus = start.allocation().gpus();
    if (start.spec().asked().has(RequestedOptions.GPU_MEMORY_LIMIT) && !gpus.getFirst().whole()) {
      all.force(MPS + "PINNED_DEVICE_MEM_LIMIT", "0=" + (gpus.getFirst().memory() >> 20) + "M");
    }
  }

  static String indices(Start start) {
    return joined(start.allocation().gpuIndices());
  }

  private static String joined(List<Integer> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private static void identity(Variables all, Start start, String submitDir) {
    JobSpec spec = start.spec();
    all.force("GFLOW_JOB_ID", start.task().number().toString());
    all.force("GFLOW_JOB_NAME", spec.name());
    if (spec.isArray()) {
      all.force("GFLOW_ARRAY_JOB_ID", start.task().job().toString());
      all.force("GFLOW_ARRAY_TASK_ID", spec.tasks().index(start.task().offset()));
      all.force("GFLOW_ARRAY_TASK_COUNT", spec.tasks().count());
    }
    all.force("GFLOW_RESTART_COUNT", start.restarts());
    all.force(SUBMIT_DIR, submitDir);
    all.force("GFLOW_JOB_CPUS", spec.request().cpus());
    all.force("GFLOW_JOB_LOG", start.place().log());
    all.force("GFLOW_MARK", start.place().mark());
    start.place().config().ifPresent(path -> all.force("GFLOW_JOB_CONFIG", path));
  }

  private static void comfort(Variables all, Start start) {
    if (start.spec().request().bound()) {
      all.offer("OMP_NUM_THREADS", Integer.toString(start.spec().request().cpusPerTask()));
    }
    OpenMpi.JOB.forEach(all::offer);
    all.offer("TMPDIR", start.place().tmp());
    // Where torch.compile has its cache outside; in a private folder every job would start cold.
    String user = start.spec().owner().name().replaceAll("[\\\\/:*?\"<>|]", "_");
    all.offer(COMPILED, "/tmp/torchinductor_" + user);
    ports(all, start);
    all.offer("PYTHONUNBUFFERED", "1");
    all.offer("HOSTNAME", start.place().host());
    // Slurm forces it; but a user that has set it means something else by it.
    all.offer("ENVIRONMENT", "BATCH");
  }

  /** Without one of its own, torchrun takes the same in every job. */
  private static void ports(Variables all, Start start) {
    int port = start.allocation().port();
    if (port > 0) {
      all.force("GFLOW_PORT", port);
      all.offer("PET_MASTER_PORT", Integer.toString(port));
    }
    // Programs that know Slurm choose these themselves, and some refuse to if they are set.
    if (port > 0 && !start.spec().speaksSlurm()) {
      all.offer("MASTER_ADDR", "127.0.0.1");
      all.offer("MASTER_PORT", Integer.toString(port));
    }
  }

  /** The parameters of this task's combination; empty without a sweep. */
  public static SequencedMap<String, String> parameters(Start start) {
    return Templates.parameters(start.spec().tasks(), start.task().offset());
  }

  private static Environment conda(Environment user, Start start) {
    Optional<String> conda = start.spec().scene().conda();
    if (conda.isEmpty()) {
      return user;
    }
    String prefix = conda.get();
    return user.withFirstInPath(prefix + "/bin")
        .with("CONDA_PREFIX", prefix)
        .with("CONDA_DEFAULT_ENV", DisplayNames.base(prefix));
  }

  /** A list of variables in the making. */
  static final class Variables {
    private final List<Variable> list = new ArrayList<>();

    void force(String name, String value) {
      list.add(new Variable(name, value, true));
    }

    void force(String name, long value) {
      force(name, Long.toString(value));
    }

    /** Tells what was asked for, if it was. */
    void copy(SortedMap<String, String> asked, String option, String name) {
      String value = asked.get(option);
      if (value != null) {
        force(name, value);
      }
    }

    void offer(String name, String value) {
      list.add(new Variable(name, value, false));
    }

    List<Variable> list() {
      return List.copyOf(list);
    }
  }
}
