package gflow.cli.job;

import gflow.api.ApiRequest.Show;
import gflow.api.JobView;
import gflow.api.JobView.GpuUseView;
import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Call;
import gflow.cli.frame.Command;
import gflow.cli.frame.JobText;
import gflow.cli.frame.Refused;
import gflow.job.JobRef;
import gflow.script.grammar.Given;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import gflow.script.value.Sizes;
import gflow.script.value.Times;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** {@code gjob eff} and {@code seff}: how much a job made of what it had, in the words of seff. */
public final class JobEff {
  public static final Command COMMAND = command("gjob eff");
  public static final Command SEFF = command("seff");

  private JobEff() {}

  private static Command command(String name) {
    return Command.of(
        name,
        "ID… [--json]",
        "Shows how much a job made of its CPUs, memory and GPUs.",
        List.of(Command.JSON, Opt.HELP),
        JobEff::run);
  }

  private static int run(Call call, Given given) throws BadInput, Refused {
    var jobs = new ArrayList<JobView>();
    for (JobRef job : ArgumentWords.jobs(given)) {
      jobs.addAll(call.ask(new Show(job)));
    }
    if (given.has("json")) {
      call.json("jobs", jobs);
      return 0;
    }
    return call.say(jobs.stream().map(JobEff::text).collect(Collectors.joining("\n")));
  }

  private static String text(JobView job) {
    var lines = new ArrayList<String>();
    double wall = job.elapsed() == null ? 0 : job.elapsed();
    int cores = Math.max(1, job.cpus());
    lines.add("Job ID: " + JobText.id(job));
    lines.add("User: " + job.user());
    String code = job.exitCode() == null ? "" : " (exit code " + job.exitCode() + ")";
    lines.add("State: " + job.state() + code);
    lines.add("Cores: " + cores);
    if (job.cpuTime() != null) {
      lines.add("CPU Utilized: " + time(job.cpuTime()));
      lines.add(
          "CPU Efficiency: %s of %s core-walltime"
              .formatted(percent(job.cpuTime(), wall * cores), time(wall * cores)));
    }
    lines.add("Job Wall-clock time: " + time(wall));
    if (job.peakMemory() != null) {
      lines.add("Memory Utilized: " + Sizes.rounded(job.peakMemory()));
    }
    if (job.peakMemory() != null && job.memory() != null) {
      lines.add(
          "Memory Efficiency: %s of %s"
              .formatted(percent(job.peakMemory(), job.memory()), Sizes.rounded(job.memory())));
    }
    if (job.gpus() > 0) {
      gpus(lines, job);
    }
    return String.join("\n", lines) + "\n";
  }

  private static void gpus(List<String> lines, JobView job) {
    GpuUseView use = job.gpuUse();
    lines.add("GPUs: " + job.gpus());
    lines.add("GPU Efficiency: " + (use == null ? "n/a (never looked at)" : JobText.gpuUse(use)));
    if (use != null) {
      lines.add("GPU Memory Utilized: " + JobText.gpuMemory(use));
    }
  }

  private static String percent(double part, double whole) {
    return whole == 0 ? "0.00%" : String.format(Locale.ROOT, "%.2f%%", 100 * part / whole);
  }

  private static String time(double seconds) {
    return Times.format(Duration.ofSeconds((long) seconds));
  }
}
