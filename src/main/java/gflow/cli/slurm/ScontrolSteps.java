package gflow.cli.slurm;

import gflow.api.JobView;
import gflow.api.StepView;
import gflow.cli.frame.Call;
import gflow.cli.frame.JobText;
import gflow.cli.frame.KeyValueLines;
import gflow.cli.frame.Refused;
import gflow.job.JobRef;
import gflow.job.JobState;
import gflow.script.grammar.Given;
import gflow.script.value.BadInput;
import gflow.script.value.Sizes;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** {@code scontrol show step}: the steps that run. */
record ScontrolSteps(Call call, Given given, Consumer<KeyValueLines> print) {
  private static final String INVALID = "slurm_get_job_steps error: Invalid job id specified";

  void show(Optional<String> name) throws BadInput, Refused {
    String host = call.host();
    boolean some = false;
    for (JobView job : jobs(name.map(n -> n.split("\\.", 2)[0]))) {
      for (StepView step : call.steps(job)) {
        boolean named =
            name.isEmpty() || !name.get().contains(".") || name.get().equals(step.stepId());
        if (step.endTime() == null && named) {
          print.accept(block(SlurmJob.of(job, host, call), step));
          some = true;
        }
      }
    }
    if (!some && name.isPresent()) {
      throw new Refused(INVALID);
    }
    if (!some) {
      call.line("No job steps in the system");
    }
  }

  private List<JobView> jobs(Optional<String> job) throws BadInput, Refused {
    List<JobRef> named = job.isPresent() ? Scontrol.refs(job.get(), INVALID) : List.of();
    return SlurmQuery.of(call, given, EnumSet.of(JobState.RUNNING), Optional.empty())
        .jobs(named)
        .orElse(List.of());
  }

  private static KeyValueLines block(SlurmJob job, StepView step) {
    String memory = step.memory() == null ? "" : ",mem=" + Sizes.format(step.memory());
    String gpus = step.gpuIds().isEmpty() ? "" : ",gres/gpu=" + step.gpuIds().size();
    return new KeyValueLines()
        .line("StepId", step.stepId())
        .put("UserId", job.uid())
        .put("StartTime", job.when(step.startTime(), "Unknown"))
        .put("TimeLimit", "UNLIMITED")
        .line("State", step.state())
        .put("Partition", JobText.partition(job.view()))
        .put("NodeList", job.host())
        .line("Nodes", 1)
        .put("CPUs", step.cpus())
        .put("Tasks", step.ntasks())
        .put("Name", step.name())
        .put("Network", SlurmJob.NOTHING)
        .line("TRES", "cpu=" + step.cpus() + memory + ",node=1" + gpus);
  }
}
