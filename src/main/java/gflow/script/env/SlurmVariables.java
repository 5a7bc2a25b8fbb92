package gflow.script.env;

import gflow.job.JobSpec;
import gflow.job.Owner;
import gflow.job.Ranges;
import gflow.job.RequestedOptions;
import gflow.script.env.JobEnvironment.Start;
import gflow.script.env.JobEnvironment.Variables;
import java.time.Instant;

/**
 * What Slurm 24.11 would set for a batch script on one node. As there, SLURM_NTASKS,
 * SLURM_CPUS_PER_TASK and others exist only if they were asked for: libraries take their presence
 * as a sign.
 */
public final class SlurmVariables {
  private SlurmVariables() {}

  static void add(Variables all, Start start, String submitDir) {
    job(all, start, submitDir);
    node(all, start);
    resources(all, start);
    if (start.spec().isArray()) {
      array(all, start, start.spec().tasks().array().orElseThrow());
    }
  }

  private static void job(Variables all, Start start, String submitDir) {
    JobSpec spec = start.spec();
    Owner owner = spec.owner();
    all.force("SLURM_JOB_ID", start.task().number().value());
    all.force("SLURM_JOBID", start.task().number().value());
    all.force("SLURM_JOB_NAME", spec.name());
    all.force("SLURM_JOB_PARTITION", spec.labels().getOrDefault("partition", "local"));
    all.force("SLURM_JOB_USER", owner.name());
    all.force("SLURM_JOB_UID", owner.uid());
    all.force("SLURM_JOB_GID", owner.gid());
    all.force("SLURM_SUBMIT_DIR", submitDir);
    all.force("SLURM_SUBMIT_HOST", start.place().host());
    all.force("SLURM_CLUSTER_NAME", "gflow");
    if (spec.asked().has(RequestedOptions.OPEN_MODE)) {
      all.force("SLURM_OPEN_MODE", "a");
    }
    all.copy(spec.labels(), "account", "SLURM_JOB_ACCOUNT");
    all.copy(spec.labels(), "qos", "SLURM_JOB_QOS");
    all.copy(spec.labels(), "reservation", "SLURM_JOB_RESERVATION");
    all.copy(spec.labels(), "licenses", "SLURM_JOB_LICENSES");
    Instant began = start.startedAt();
    all.force("SLURM_JOB_START_TIME", began.getEpochSecond());
    spec.terms()
        .timeLimit()
        .ifPresent(l -> all.force("SLURM_JOB_END_TIME", began.plus(l).getEpochSecond()));
    if (start.restarts() > 0) {
      all.force("SLURM_RESTART_COUNT", start.restarts());
    }
  }

  private static void node(Variables all, Start start) {
    String host = start.place().host();
    all.force("SLURM_JOB_NODELIST", host);
    all.force("SLURM_NODELIST", host);
    all.force("SLURMD_NODENAME", host);
    all.force("SLURM_JOB_NUM_NODES", 1);
    all.force("SLURM_NNODES", 1);
    all.force("SLURM_NODEID", 0);
    all.force("SLURM_PROCID", 0);
    all.force("SLURM_LOCALID", 0);
    all.force("SLURM_GTIDS", 0);
    all.force("SLURM_PRIO_PROCESS", 0);
    all.force("SLURM_TOPOLOGY_ADDR", host);
    all.force("SLURM_TOPOLOGY_ADDR_PATTERN", "node");
    all.force("SLURM_OOM_KILL_STEP", 0);
  }

  private static void resources(Variables all, Start start) {
    RequestedOptions asked = start.spec().asked();
    int cpus = start.spec().request().cpusOnNode();
    all.force("SLURM_CPUS_ON_NODE", cpus);
    all.force("SLURM_JOB_CPUS_PER_NODE", cpus);
    tasks(all, asked, cpus);
    memory(all, asked);
    if (!start.allocation().gpus().isEmpty()) {
      all.force("SLURM_JOB_GPUS", JobEnvironment.indices(start));
      all.force("SLURM_GPUS_ON_NODE", start.allocation().gpus().size());
    }
    all.copy(start.spec().labels(), "gpu-bind", "SLURM_GPU_BIND");
    all.copy(asked.options(), RequestedOptions.GPUS, "SLURM_GPUS");
    all.copy(asked.options(), RequestedOptions.GPUS_PER_NODE, "SLURM_GPUS_PER_NODE");
    all.copy(asked.options(), RequestedOptions.GPUS_PER_TASK, "SLURM_GPUS_PER_TASK");
    all.copy(asked.options(), RequestedOptions.CPUS_PER_GPU, "SLURM_CPUS_PER_GPU");
  }

  /** Without a number of tasks Slurm tells as many as the CPUs would do for. */
  private static void tasks(Variables all, RequestedOptions asked, int cpus) {
    int perTask = asked.number(RequestedOptions.CPUS_PER_TASK).orElse(1);
    all.force("SLURM_TASKS_PER_NODE", asked.ntasks().orElse(Math.max(1, cpus / perTask)));
    all.copy(asked.options(), RequestedOptions.NTASKS, "SLURM_NTASKS");
    all.copy(asked.options(), RequestedOptions.NTASKS, "SLURM_NPROCS");
    all.copy(asked.options(), RequestedOptions.NTASKS_PER_NODE, "SLURM_NTASKS_PER_NODE");
    all.copy(asked.options(), RequestedOptions.NTASKS_PER_GPU, "SLURM_NTASKS_PER_GPU");
    all.copy(asked.options(), RequestedOptions.CPUS_PER_TASK, "SLURM_CPUS_PER_TASK");
    if (asked.has(RequestedOptions.OVERCOMMIT)) {
      all.force("SLURM_OVERCOMMIT", "1");
    }
    if (asked.has(RequestedOptions.CPUS_PER_TASK)) {
      all.force("SLURM_TRES_PER_TASK", "cpu=" + perTask);
    }
  }

  private static void memory(Variables all, RequestedOptions asked) {
    // All of the memory has no number in Slurm either.
    if (asked.megabytes(RequestedOptions.MEM).orElse(0) > 0) {
      all.copy(asked.options(), RequestedOptions.MEM, "SLURM_MEM_PER_NODE");
    }
    all.copy(asked.options(), RequestedOptions.MEM_PER_CPU, "SLURM_MEM_PER_CPU");
    all.copy(asked.options(), RequestedOptions.MEM_PER_GPU, "SLURM_MEM_PER_GPU");
  }

  private static void array(Variables all, Start start, Ranges indices) {
    all.force("SLURM_ARRAY_JOB_ID", start.task().job().value());
    all.force("SLURM_ARRAY_TASK_ID", indices.get(start.task().offset()));
    all.force("SLURM_ARRAY_TASK_COUNT", indices.size());
    all.force("SLURM_ARRAY_TASK_MIN", indices.first());
    all.force("SLURM_ARRAY_TASK_MAX", indices.last());
    all.force("SLURM_ARRAY_TASK_STEP", step(indices));
  }

  /** The step of {@code 0-30:2}; 1 for a list, as Slurm says. Looks only at the ends. */
  private static int step(Ranges indices) {
    int count = indices.size();
    if (count < 2) {
      return 1;
    }
    int step = indices.get(1) - indices.first();
    boolean even = indices.last() - indices.first() == (long) step * (count - 1);
    return even ? step : 1;
  }
}
