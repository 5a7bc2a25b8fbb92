package gflow.cli.slurm;

import static gflow.cli.frame.Column.column;

import gflow.api.JobView;
import gflow.api.StepView;
import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Call;
import gflow.cli.frame.Columns;
import gflow.cli.frame.JobText;
import gflow.cli.frame.LineFormat;
import gflow.cli.frame.LineParts;
import gflow.cli.frame.Refused;
import gflow.job.JobRef;
import gflow.job.JobState;
import gflow.script.grammar.Given;
import gflow.script.value.BadInput;
import gflow.script.value.JobRefs;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/** {@code squeue --steps}: the steps that run, and the script itself, which Slurm counts as one. */
record SqueueSteps(Call call, Given given) {
  private static final String USUAL = "%.15i %.8j %.9P %.8u %.9M %N";

  /** The step of a job; empty is its script. */
  private record Row(JobView job, Optional<StepView> step, String host, Call call) {
    String id() {
      return step.map(StepView::stepId).orElse(job.jobId() + ".batch");
    }

    String started() {
      return SlurmJob.of(job, host, call)
          .when(step.map(StepView::startTime).orElse(job.startTime()), "N/A");
    }
  }

  private static final Columns<Row> ALL =
      new Columns<>(
          List.of(
              column('i', "StepID", "STEPID", Row::id),
              column(
                  'j', "StepName", "NAME", row -> row.step().map(StepView::name).orElse("batch")),
              column('P', "Partition", "PARTITION", row -> JobText.partition(row.job())),
              column('u', "UserName", "USER", row -> row.job().user()),
              column('M', "TimeUsed", "TIME", SqueueSteps::elapsed),
              column('N', "Nodes", "NODELIST", Row::host),
              column('S', "StartTime", "START_TIME", Row::started),
              column('l', "TimeLimit", "TIME_LIMIT", row -> JobText.limit(row.job().timeLimit())),
              column('T', "StepState", "STATE", row -> "RUNNING"),
              column('A', "NumTasks", "TASKS", row -> row.step().map(StepView::ntasks).orElse(1))));

  private static String elapsed(Row row) {
    return JobText.elapsed(
        row.step().isPresent() ? Double.valueOf(row.step().get().elapsed()) : row.job().elapsed());
  }

  LineParts.Text text() throws BadInput, Refused {
    LineFormat<Row> format = LineFormat.of(given, USUAL, ALL);
    List<String> wanted =
        given.value("steps").orElse("").isEmpty() ? List.of() : ArgumentWords.list(given, "steps");
    List<Row> rows = rows().stream().filter(row -> SlurmQuery.among(wanted, row.id())).toList();
    return format.text(rows, !given.has("noheader"), "");
  }

  private List<Row> rows() throws BadInput, Refused {
    String host = call.host();
    var rows = new ArrayList<Row>();
    for (JobView job : jobs()) {
      for (StepView step : call.steps(job)) {
        if (step.endTime() == null) {
          rows.add(new Row(job, Optional.of(step), host, call));
        }
      }
      rows.add(new Row(job, Optional.empty(), host, call));
    }
    return rows;
  }

  private List<JobView> jobs() throws BadInput, Refused {
    List<JobRef> named = given.read("jobs", JobRefs::list).orElse(List.of());
    return SlurmQuery.of(call, given, EnumSet.of(JobState.RUNNING), Optional.empty())
        .jobs(named)
        .orElseThrow(Scontrol::noSuchJob);
  }
}
