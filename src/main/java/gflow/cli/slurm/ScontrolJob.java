package gflow.cli.slurm;

import static gflow.cli.slurm.SlurmJob.NOTHING;
import static gflow.cli.slurm.SlurmJob.or;

import gflow.api.JobView;
import gflow.cli.frame.JobText;
import gflow.cli.frame.KeyValueLines;
import gflow.job.JobState;
import gflow.job.Ranges;
import gflow.job.RequestedOptions;
import gflow.script.value.Sizes;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A job as {@code scontrol show job} writes it, key by key. */
final class ScontrolJob {
  private ScontrolJob() {}

  static KeyValueLines block(SlurmJob job, boolean details, Optional<String> errors) {
    var block = new KeyValueLines();
    identity(block, job);
    times(block, job);
    resources(block, job, details);
    surroundings(block, job, errors);
    return block;
  }

  private static void identity(KeyValueLines block, SlurmJob job) {
    JobView view = job.view();
    block.line().put("JobId", view.jobId());
    if (view.arrayJobId() != null) {
      block.put("ArrayJobId", view.arrayJobId()).put("ArrayTaskId", job.tasks());
    }
    block
        .put("JobName", view.name())
        .line()
        .put("UserId", user(job))
        .put("MCS_label", "N/A")
        .line()
        .put("Priority", view.held() ? 0 : view.priority())
        .put("Nice", job.nice())
        .put("Account", job.label("account"))
        .put("QOS", job.label("qos"))
        .line()
        .put("JobState", view.state())
        .put("Reason", job.reason())
        .put("Dependency", job.dependency())
        .line()
        .put("Requeue", view.requeue() ? 1 : 0)
        .put("Restarts", view.attempt() - 1)
        .put("BatchFlag", 1)
        .put("Reboot", 0)
        .put("ExitCode", job.exit());
  }

  private static String user(SlurmJob job) {
    String name = job.view().user();
    return name + "(" + job.uid() + ") GroupId=" + name + "(" + job.gid() + ")";
  }

  private static void times(KeyValueLines block, SlurmJob job) {
    block
        .line()
        .put("RunTime", SlurmJob.clock(job.view().elapsed()))
        .put("TimeLimit", job.limit("UNLIMITED"))
        .put("TimeMin", "N/A")
        .line()
        .put("SubmitTime", job.submitted())
        .put("EligibleTime", job.view().beginTime() == null ? job.submitted() : job.started(""))
        .line()
        .put("AccrueTime", job.submitted())
        .line()
        .put("StartTime", job.started("Unknown"))
        .put("EndTime", job.ends("Unknown"))
        .put("Deadline", "N/A")
        .line()
        .put("SuspendTime", "None")
        .put("SecsPreSuspend", 0)
        .put("Scheduler", "Main");
  }

  private static void resources(KeyValueLines block, SlurmJob job, boolean details) {
    JobView view = job.view();
    block
        .line()
        .put("Partition", JobText.partition(view))
        .put("AllocNode:Sid", job.host() + ":0")
        .line()
        .put("ReqNodeList", NOTHING)
        .put("ExcNodeList", NOTHING)
        .line()
        .put("NodeList", job.nodes());
    if (!job.nodes().isEmpty()) {
      block.line().put("BatchHost", job.host());
    }
    block
        .line()
        .put("NumNodes", 1)
        .put("NumCPUs", job.cpus())
        .put("NumTasks", view.ntasks())
        .put("CPUs/Task", or(view.requested().get(RequestedOptions.CPUS_PER_TASK), "1"))
        .put("ReqB:S:C:T", "0:0:*:*")
        .line()
        .put("TRES", tres(job))
        .line()
        .put("Socks/Node", "*")
        .put("NtasksPerN:B:S:C", "0:0:*:*")
        .put("CoreSpec", "*");
    if (details && view.gpus() > 0) {
      block.line().put("JOB_GRES", "gpu:" + view.gpus());
    }
    if (details && job.is(JobState.RUNNING)) {
      allocated(block, job);
    }
    block
        .line()
        .put("MinCPUsNode", Math.max(1, job.cpus() / view.ntasks()))
        .put(memoryKey(view), memory(view))
        .put("MinTmpDiskNode", or(view.labels().get("tmp"), "0"))
        .line()
        .put("Features", job.label("constraint"))
        .put("DelayBoot", "00:00:00")
        .line()
        .put("OverSubscribe", exclusive(view) ? "NO" : "OK")
        .put("Contiguous", 0)
        .put("Licenses", NOTHING)
        .put("Network", NOTHING);
  }

  /** With {@code -d}: which CPUs and GPUs it has; a job that is bound to no CPUs has them all. */
  private static void allocated(KeyValueLines block, SlurmJob job) {
    JobView view = job.view();
    block
        .line()
        .put("  Nodes", job.host())
        .put("CPU_IDs", cpuIds(job))
        .put("Mem", view.memory() == null ? 0 : view.memory() >> 20)
        .put("GRES", view.gpuIds().isEmpty() ? "" : gres(view));
  }

  private static String cpuIds(SlurmJob job) {
    List<Integer> bound = job.view().cpuIds();
    return bound.isEmpty() ? "0-" + (job.cpus() - 1) : Ranges.ofAll(bound).toString();
  }

  private static String gres(JobView view) {
    return "gpu:" + view.gpus() + "(IDX:" + JobText.gpuIds(view) + ")";
  }

  static String tres(SlurmJob job) {
    JobView view = job.view();
    return "cpu="
        + job.cpus()
        + (view.memory() == null ? "" : ",mem=" + Sizes.format(view.memory()))
        + ",node=1,billing="
        + job.cpus()
        + (view.gpus() == 0 ? "" : ",gres/gpu=" + view.gpus());
  }

  private static void surroundings(KeyValueLines block, SlurmJob job, Optional<String> errors) {
    JobView view = job.view();
    String out = or(view.logPath(), "/dev/null");
    block.line().put("Command", command(view)).line().put("WorkDir", view.workDir());
    if (view.comment() != null) {
      block.line().put("Comment", view.comment());
    }
    block
        .line()
        .put("StdErr", errors.orElse(out))
        .line()
        .put("StdIn", "/dev/null")
        .line()
        .put("StdOut", out);
    gpus(block, view);
    if (job.is(JobState.RUNNING) && !view.gpuIds().isEmpty()) {
      block.line().put("Gres", gres(view));
    }
  }

  private static String memoryKey(JobView view) {
    return view.requested().containsKey(RequestedOptions.MEM_PER_CPU)
        ? "MinMemoryCPU"
        : "MinMemoryNode";
  }

  private static String memory(JobView view) {
    String perCpu = view.requested().get(RequestedOptions.MEM_PER_CPU);
    if (perCpu != null) {
      return Sizes.format(Long.parseLong(perCpu) << 20);
    }
    // All of it is shown as it was asked for.
    boolean ofTheNode =
        view.memory() != null
            && !view.requested().containsKey(RequestedOptions.MEM_PER_GPU)
            && !"0".equals(view.requested().get(RequestedOptions.MEM));
    return ofTheNode ? Sizes.format(view.memory()) : "0";
  }

  private static boolean exclusive(JobView view) {
    return new RequestedOptions(view.requested()).wholeMachine();
  }

  /** One from a pipe, or a line, has no path. */
  private static String command(JobView view) {
    return or(view.labels().get("script"), "").startsWith("/") ? view.command() : NOTHING;
  }

  /** As they were asked for: by job, by task or, in all other words, by node. */
  private static void gpus(KeyValueLines block, JobView view) {
    var asked = new RequestedOptions(view.requested());
    tres(block, "TresPerJob", "gpu:", asked.options().get(RequestedOptions.GPUS));
    tres(block, "TresPerNode", "", asked.options().get(RequestedOptions.GRES));
    tres(block, "TresPerNode", "gpu:", asked.options().get(RequestedOptions.GPUS_PER_NODE));
    tres(block, "TresPerTask", "gpu:", asked.options().get(RequestedOptions.GPUS_PER_TASK));
    boolean otherwise =
        Stream.of(
                RequestedOptions.GPUS,
                RequestedOptions.GRES,
                RequestedOptions.GPUS_PER_NODE,
                RequestedOptions.GPUS_PER_TASK)
            .noneMatch(asked::has);
    if (view.gpus() > 0 && otherwise && !asked.wholeMachine()) {
      block.line().put("TresPerNode", JobText.gres(view).replace('/', ':'));
    }
  }

  private static void tres(KeyValueLines block, String key, String before, @Nullable String asked) {
    if (asked != null && !asked.equals("none")) {
      block.line().put(key, "gres:" + before + asked);
    }
  }
}
