package gflow.cli.step;

import gflow.api.JobView;
import gflow.api.StepView;
import gflow.cli.frame.Call;
import gflow.cli.frame.JobText;
import gflow.cli.frame.Refused;
import gflow.cli.frame.Table;
import gflow.script.grammar.Given;
import java.util.ArrayList;
import java.util.List;

/** {@code gqueue --steps}: those that run, and of jobs that are named also those that are over. */
public record StepListing(Call call, Given given) {
  public void print(List<JobView> jobs) throws Refused {
    List<StepView> steps = steps(jobs);
    if (given.has("json")) {
      call.json("steps", steps);
      return;
    }
    var table = new Table();
    if (!given.has("noheader")) {
      table.texts("STEPID", "NAME", "STATE", "TIME", "NTASKS", "CPUS", "GPUS", "EXIT");
    }
    steps.forEach(step -> row(table, step));
    call.output().out(table.text(call.colour()));
  }

  private List<StepView> steps(List<JobView> jobs) throws Refused {
    var all = new ArrayList<StepView>();
    for (JobView job : jobs) {
      if (job.startTime() != null) {
        all.addAll(call.steps(job));
      }
    }
    all.removeIf(step -> !given.has("jobs") && step.endTime() != null);
    return all;
  }

  private static void row(Table table, StepView step) {
    table.texts(
        step.stepId(),
        step.name(),
        step.state(),
        JobText.elapsed(step.elapsed()),
        Integer.toString(step.ntasks()),
        Integer.toString(step.cpus()),
        step.gpuIds().isEmpty() ? "-" : JobText.numbers(step.gpuIds()),
        step.exitCode() == null
            ? ""
            : step.exitCode() + ":" + (step.signal() == null ? 0 : step.signal()));
  }
}
