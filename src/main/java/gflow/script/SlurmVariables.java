package gflow.script;

import gflow.job.JobSpec;
import gflow.job.Owner;
import gflow.job.Ranges;
import gflow.script.JobEnvironment.Start;
import gflow.script.JobEnvironment.Variables;

/**
 * What Slurm would set for a batch script on one node. As there, SLURM_NTASKS and
 * SLURM_CPUS_PER_TASK exist only if they were asked for: libraries take their presence as a sign.
 */
final class SlurmVariables {
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
  }

  private static void resources(Variables all, Start start) {
    var request = start.spec().request();
    // A GPU job may count no CPU in the books; a node always has one for it.
    int cpus = Math.max(1, request.cpus());
    all.force("SLURM_CPUS_ON_NODE", cpus);
    all.force("SLURM_JOB_CPUS_PER_NODE", cpus);
    all.force("SLURM_TASKS_PER_NODE", request.ntasks());
    if (request.bound()) {
      all.force("SLURM_CPUS_PER_TASK", request.cpusPerTask());
    }
    if (request.ntasks() > 1) {
      all.force("SLURM_NTASKS", request.ntasks());
      all.force("SLURM_NPROCS", request.ntasks());
    }
    if (request.memory() > 0) {
      all.force("SLURM_MEM_PER_NODE", Math.ceilDiv(request.memory(), 1L << 20));
    }
    if (!start.allocation().gpus().isEmpty()) {
      all.force("SLURM_JOB_GPUS", JobEnvironment.indices(start));
      all.force("SLURM_GPUS_ON_NODE", start.allocation().gpus().size());
    }
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
