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
import org.jspecify.annotations.Nullable;

/** A job as {@code scontrol show job} writes it, key by key. */
final class ScontrolJob {
  private static final List<String> ASKED =
      List.of(
          RequestedOptions.GPUS,
          RequestedOptions.GRES,
          RequestedOptions.GPUS_PER_NODE,
          RequestedOptions.GPUS_PER_TASK);

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
    block
        .line("JobId", view.jobId())
        .put("ArrayJobId", view.arrayJobId())
        .put("ArrayTaskId", view.arrayJobId() == null ? null : job.tasks())
        .put("JobName", view.name())
        .line("UserId", user(job))
        .put("MCS_label", "N/A")
        .line("Priority", view.held() ? 0 : view.priority())
        .put("Nice", job.nice())
        .put("Account", job.label("account"))
        .put("QOS", job.label("qos"))
        .line("JobState", view.state())
        .put("Reason", job.reason())
        .put("Dependency", job.dependency())
        .line("Requeue", view.requeue() ? 1 : 0)
        .put("Restarts", view.attempt() - 1)
        .put("BatchFlag=1 Reboot=0")
        .put("ExitCode", job.exit());
  }

  private static String user(SlurmJob job) {
    String name = job.view().user();
    return name + "(" + job.uid() + ") GroupId=" + name + "(" + job.gid() + ")";
  }

  private static void times(KeyValueLines block, SlurmJob job) {
    block
        .line("RunTime", SlurmJob.clock(job.view().elapsed()))
        .put("TimeLimit", job.limit("UNLIMITED"))
        .put("TimeMin", "N/A")
        .line("SubmitTime", job.submitted())
        .put("EligibleTime", job.view().beginTime() == null ? job.submitted() : job.started(""))
        .line("AccrueTime", job.submitted())
        .line("StartTime", job.started("Unknown"))
        .put("EndTime", job.ends("Unknown"))
        .put("Deadline", "N/A")
        .line("SuspendTime=None SecsPreSuspend=0 Scheduler=Main");
  }

  private static void resources(KeyValueLines block, SlurmJob job, boolean details) {
    JobView view = job.view();
    block
        .line("Partition", JobText.partition(view))
        .put("AllocNode:Sid", job.host() + ":0")
        .line("ReqNodeList=(null) ExcNodeList=(null)")
        .line("NodeList", job.nodes())
        .line("BatchHost", job.nodes().isEmpty() ? null : job.host())
        .line("NumNodes=1")
        .put("NumCPUs", job.cpus())
        .put("NumTasks", view.ntasks())
        .put("CPUs/Task", or(view.requested().get(RequestedOptions.CPUS_PER_TASK), "1"))
        .put("ReqB:S:C:T=0:0:*:*")
        .line("TRES", tres(job))
        .line("Socks/Node=* NtasksPerN:B:S:C=0:0:*:* CoreSpec=*")
        .line("JOB_GRES", details && view.gpus() > 0 ? "gpu:" + view.gpus() : null);
    if (details && job.is(JobState.RUNNING)) {
      allocated(block, job);
    }
    block
        .line("MinCPUsNode", Math.max(1, job.cpus() / view.ntasks()))
        .put(memoryKey(view), memory(view))
        .put("MinTmpDiskNode", or(view.labels().get("tmp"), "0"))
        .line("Features", job.label("constraint"))
        .put("DelayBoot=00:00:00")
        .line("OverSubscribe", new RequestedOptions(view.requested()).wholeMachine() ? "NO" : "OK")
        .put("Contiguous=0 Licenses=(null) Network=(null)");
  }

  /** With {@code -d}: which CPUs and GPUs it has; a job that is bound to no CPUs has them all. */
  private static void allocated(KeyValueLines block, SlurmJob job) {
    JobView view = job.view();
    block
        .line("  Nodes", job.host())
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
    block
        .line("Command", command(view))
        .line("WorkDir", view.workDir())
        .line("Comment", view.comment())
        .line("StdErr", errors.orElse(out))
        .line("StdIn=/dev/null")
        .line("StdOut", out);
    gpus(block, view);
    boolean has = job.is(JobState.RUNNING) && !view.gpuIds().isEmpty();
    block.line("Gres", has ? gres(view) : null);
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

  /** One from a pipe, or a line, has no path. */
  private static String command(JobView view) {
    return or(view.labels().get("script"), "").startsWith("/") ? view.command() : NOTHING;
  }

  /** As they were asked for: by job, by task or, in all other words, by node. */
  private static void gpus(KeyValueLines block, JobView view) {
    var asked = new RequestedOptions(view.requested());
    block
        .line("TresPerJob", tres("gpu:", asked.options().get(RequestedOptions.GPUS)))
        .line("TresPerNode", tres("", asked.options().get(RequestedOptions.GRES)))
        .line("TresPerNode", tres("gpu:", asked.options().get(RequestedOptions.GPUS_PER_NODE)))
        .line("TresPerTask", tres("gpu:", asked.options().get(RequestedOptions.GPUS_PER_TASK)));
    boolean otherwise = ASKED.stream().noneMatch(asked::has);
    if (view.gpus() > 0 && otherwise && !asked.wholeMachine()) {
      block.line("TresPerNode", JobText.gres(view).replace('/', ':'));
    }
  }

  private static @Nullable String tres(String before, @Nullable String asked) {
    return asked == null || asked.equals("none") ? null : "gres:" + before + asked;
  }
}
