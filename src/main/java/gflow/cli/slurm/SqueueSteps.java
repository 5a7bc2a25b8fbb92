package gflow.cli.slurm;

import gflow.api.Gflow.JobQuery;
import gflow.api.JobView;
import gflow.api.StepView;
import gflow.cli.frame.Call;
import gflow.cli.frame.Column;
import gflow.cli.frame.Columns;
import gflow.cli.frame.JobText;
import gflow.cli.frame.LineFormat;
import gflow.cli.frame.Refused;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.JobState;
import gflow.script.grammar.Given;
import gflow.script.value.BadInput;
import gflow.script.value.JobRefs;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

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
              column('A', "NumTasks", "TASKS", SqueueSteps::tasks)));

  private static Column<Row> column(
      char letter, String name, String header, Function<Row, String> shown) {
    return Column.of(letter, name, header, shown);
  }

  private static String elapsed(Row row) {
    return JobText.elapsed(
        row.step().isPresent() ? Double.valueOf(row.step().get().elapsed()) : row.job().elapsed());
  }

  private static String tasks(Row row) {
    return Integer.toString(row.step().map(StepView::ntasks).orElse(1));
  }

  String text() throws BadInput, Refused {
    LineFormat<Row> format =
        given.value("Format").isPresent()
            ? LineFormat.named(given.value("Format").get(), ALL)
            : LineFormat.parse(given.value("format").orElse(USUAL), ALL);
    var text = new StringBuilder(given.has("noheader") ? "" : format.header() + "\n");
    List<String> wanted = wanted();
    for (Row row : rows()) {
      if (wanted.isEmpty() || wanted.contains(row.id())) {
        text.append(format.line(row)).append('\n');
      }
    }
    return text.toString();
  }

  private List<String> wanted() throws BadInput {
    String list = given.value("steps").orElse("");
    return list.isEmpty() ? List.of() : SlurmFilters.list(given, "steps");
  }

  private List<Row> rows() throws BadInput, Refused {
    String host = Call.get(call.gflow().status()).host();
    var rows = new ArrayList<Row>();
    for (JobView job : jobs()) {
      var ref = new JobRef.ById(new JobId(job.jobId()));
      for (StepView step : Call.get(call.gflow().steps(ref))) {
        if (step.endTime() == null) {
          rows.add(new Row(job, Optional.of(step), host, call));
        }
      }
      rows.add(new Row(job, Optional.empty(), host, call));
    }
    return rows;
  }

  private List<JobView> jobs() throws BadInput, Refused {
    Optional<String> named = given.value("jobs");
    var query =
        new JobQuery(
            named.isPresent() ? JobRefs.list(named.get()) : List.of(),
            EnumSet.of(JobState.RUNNING),
            SlurmFilters.list(given, "user"),
            SlurmFilters.list(given, "name"),
            Optional.empty(),
            Integer.MAX_VALUE);
    return Call.get(call.gflow().jobs(query)).jobs();
  }
}
