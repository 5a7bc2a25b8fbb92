package gflow.cli.job;

import gflow.api.ApiRequest.Show;
import gflow.api.ApiRequest.Steps;
import gflow.api.AttemptView;
import gflow.api.JobView;
import gflow.api.StepView;
import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.JobText;
import gflow.cli.frame.KeyValueLines;
import gflow.cli.frame.LineParts;
import gflow.cli.frame.Refused;
import gflow.job.FenceReason;
import gflow.job.GpuPart;
import gflow.job.JobRef;
import gflow.job.MpsReason;
import gflow.job.Ranges;
import gflow.job.RequestedOptions;
import gflow.json.RecordJson;
import gflow.script.grammar.Given;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code gjob show}: all that is known about a job, in blocks as scontrol writes them. */
public final class JobShow {
  public static final Command COMMAND =
      Command.of(
          "gjob show",
          "ID… [--json]",
          "Shows all that is known about jobs, also about those that are over.",
          List.of(Command.JSON, Opt.HELP),
          JobShow::run);

  private JobShow() {}

  private static int run(Call call, Given given) throws BadInput, Refused {
    var jobs = new ArrayList<JobView>();
    var steps = new ArrayList<StepView>();
    for (JobRef job : ArgumentWords.jobs(given)) {
      jobs.addAll(call.ask(new Show(job)));
      steps.addAll(call.ask(new Steps(job)));
    }
    if (given.has("json")) {
      var root = new LinkedHashMap<String, @Nullable Object>();
      root.put("jobs", RecordJson.tree(jobs));
      if (!steps.isEmpty()) {
        root.put("steps", RecordJson.tree(steps));
      }
      call.json(root);
    } else {
      LineParts.send(
          out -> {
            String between = "";
            for (JobView job : jobs) {
              out.accept(between + block(job, steps, call.zone()));
              between = "\n";
            }
          },
          call.output()::out);
    }
    return 0;
  }

  private static String block(JobView job, List<StepView> steps, ZoneId zone) {
    KeyValueLines block = whole(job, zone);
    if (job.attempt() > 1) {
      job.attempts().forEach(attempt -> put(block, attempt, zone));
    }
    steps.stream()
        .filter(step -> step.stepId().startsWith(job.jobId() + "."))
        .forEach(step -> put(block, step, zone));
    return block.text();
  }

  private static void put(KeyValueLines block, StepView step, ZoneId zone) {
    block
        .line("Step[" + step.stepId() + "]")
        .put("Name", step.name())
        .put("State", step.state())
        .put("ExitCode", step.exitCode())
        .put("Signal", step.signal())
        .put("StartTime", JobText.time(step.startTime(), zone))
        .put("RunTime", JobText.elapsed(step.elapsed()))
        .put("CpuTime", step.cpuTime() == null ? null : JobText.elapsed(step.cpuTime()))
        .put("PeakMemory", size(step.peakMemory()))
        .put("NumTasks", step.ntasks())
        .put("Cpus", step.cpus())
        .put("CpuIds", step.cpuIds().isEmpty() ? null : Ranges.ofAll(step.cpuIds()))
        .put("GpuIds", step.gpuIds().isEmpty() ? null : JobText.numbers(step.gpuIds()));
  }

  private static void put(KeyValueLines block, AttemptView attempt, ZoneId zone) {
    block
        .line("Attempt[" + attempt.attempt() + "]")
        .put("State", attempt.state())
        .put("Reason", attempt.reason())
        .put("Cause", attempt.cause())
        .put("ExitCode", attempt.exitCode())
        .put("Signal", attempt.signal())
        .put("StartTime", JobText.time(attempt.startTime(), zone))
        .put("EndTime", attempt.endTime() == null ? null : JobText.time(attempt.endTime(), zone))
        .put("GpuIds", attempt.gpuIds().isEmpty() ? null : JobText.numbers(attempt.gpuIds()));
  }

  /** Who looks for a mistake must know what the program could see. */
  private static @Nullable String fence(JobView job) {
    String kept = job.requested().get(RequestedOptions.FENCE);
    String failed =
        job.state().equals("FAILED") ? ": it saw only its own GPUs, counted from 0" : "";
    return FenceReason.of(Optional.ofNullable(kept))
        .map(reason -> "yes (" + reason.said() + failed + ")")
        .orElse(null);
  }

  /** Who asked for it and has it not must be told why. */
  private static @Nullable String mps(JobView job) {
    return MpsReason.of(new RequestedOptions(job.requested()))
        .filter(reason -> reason != MpsReason.OFF)
        .map(reason -> (reason.on() ? "yes (" : "no (") + reason.said() + ")")
        .orElse(null);
  }

  private static KeyValueLines whole(JobView job, ZoneId zone) {
    return new KeyValueLines()
        .line("JobId", job.jobId())
        .put("ArrayJobId", job.arrayJobId())
        .put("ArrayTaskId", job.arrayTaskId())
        .put("ArrayTasks", job.arrayTasks())
        .put("Name", job.name())
        .put("Parameters", job.parameters().isEmpty() ? null : JobText.parameters(job))
        .line("User", job.user())
        .put("Project", job.project())
        .put("Priority", job.priority())
        .line("State", job.state())
        .put("Reason", JobText.why(job).orElse(null))
        .put("Cause", job.cause())
        .put("Held", job.held() ? "yes" : null)
        .put("ExitCode", job.exitCode())
        .put("Signal", job.signal())
        .put("Dependency", job.dependency())
        .line("Attempt", job.attempt())
        .put("Retries", job.retries())
        .put("RetryOn", job.retries() == 0 ? null : String.join(",", job.retryOn()))
        .line("SubmitTime", JobText.time(job.submitTime(), zone))
        .put("BeginTime", job.beginTime() == null ? null : JobText.time(job.beginTime(), zone))
        .line("StartTime", job.startTime() == null ? null : JobText.time(job.startTime(), zone))
        .put("EndTime", job.endTime() == null ? null : JobText.time(job.endTime(), zone))
        .put("RunTime", job.elapsed() == null ? null : JobText.elapsed(job.elapsed()))
        .put("TimeLimit", JobText.limit(job.timeLimit()))
        .line("Gpus", job.gpus())
        .put("MostGpus", job.mostGpus())
        .put("GpuShare", job.gpuShare() == null ? null : GpuPart.of(job.gpuShare()))
        .put("GpuMemory", size(job.gpuMemory()))
        .put("GpuIds", job.gpuIds().isEmpty() ? null : JobText.gpuIds(job))
        .put("OnLoan", job.lentGpuIds().isEmpty() ? null : JobText.numbers(job.lentGpuIds()))
        .put("Fence", fence(job))
        .put("Mps", mps(job))
        .line("NumTasks", job.ntasks())
        .put("Cpus", job.cpus())
        .put("CpuIds", job.cpuIds().isEmpty() ? null : Ranges.ofAll(job.cpuIds()))
        .put("CpuBinding", job.cpuBinding())
        .put("Memory", size(job.memory()))
        .line("GpuTime", job.gpuSeconds() == null ? null : JobText.elapsed(job.gpuSeconds()))
        .put("CpuTime", job.cpuTime() == null ? null : JobText.elapsed(job.cpuTime()))
        .put("PeakMemory", size(job.peakMemory()))
        .line("GpuUse", job.gpuUse() == null ? null : JobText.gpuUse(job.gpuUse()))
        .put("GpuMemoryUsed", job.gpuUse() == null ? null : JobText.gpuMemory(job.gpuUse()))
        .line("Progress", job.progress())
        .line("Notice", job.notice())
        .line("Hint", hint(job))
        .line("Command", job.command())
        .line("WorkDir", job.workDir())
        .line("Log", job.logPath())
        .line("Comment", job.comment());
  }

  /** What such a script forgets. */
  private static @Nullable String hint(JobView job) {
    return job.notice() != null && job.notice().startsWith("no step")
        ? "if the script waits for a loop that it began with '&', write after that line:"
            + " LOOP=$!; trap 'kill $LOOP' EXIT, and wait only for what is not that loop"
        : null;
  }

  private static @Nullable String size(@Nullable Long bytes) {
    return bytes == null ? null : JobText.size(bytes);
  }
}
