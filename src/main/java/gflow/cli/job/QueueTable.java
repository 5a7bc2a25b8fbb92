package gflow.cli.job;

import gflow.api.Gflow.JobList;
import gflow.api.Gflow.JobQuery;
import gflow.api.JobView;
import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Call;
import gflow.cli.frame.JobText;
import gflow.cli.frame.LineFormat;
import gflow.cli.frame.LineParts;
import gflow.cli.frame.Paint;
import gflow.cli.frame.Refused;
import gflow.cli.frame.Table;
import gflow.cli.frame.Table.Cell;
import gflow.job.JobState;
import gflow.json.Json;
import gflow.json.RecordJson;
import gflow.script.grammar.Given;
import gflow.script.value.BadInput;
import gflow.script.value.JobRefs;
import gflow.script.value.StateNames;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What {@code gqueue} shall list, and in which form; asked for anew each time. */
final class QueueTable {
  private final Call call;
  private final Given given;
  private final JobQuery query;
  private final Optional<StateNames.Filter> states;
  private final List<QueueField> fields;
  private final Optional<LineFormat<JobView>> format;
  private final QueueSorting sorting;
  private final int limit;
  private JobList last = new JobList(List.of(), 0);

  QueueTable(Call call, Given given) throws BadInput {
    this.call = call;
    this.given = given;
    if (given.has("fields") && given.has("format")) {
      throw new BadInput("--fields and --format exclude each other");
    }
    states =
        given.value("states").isPresent()
            ? Optional.of(StateNames.parse(given.value("states").get()))
            : Optional.empty();
    fields =
        given.value("fields").isPresent()
            ? QueueField.list(given.value("fields").get())
            : QueueField.USUAL;
    format =
        given.value("format").isPresent()
            ? Optional.of(
                LineFormat.parse(given.value("format").get(), QueueField.columns(call.zone())))
            : Optional.empty();
    sorting = QueueSorting.parse(given.value("sort"));
    Optional<String> most = given.value("limit");
    limit =
        most.isPresent()
            ? ArgumentWords.number("--limit", most.get(), 1, Integer.MAX_VALUE)
            : Integer.MAX_VALUE;
    query = query();
  }

  private JobQuery query() throws BadInput {
    var users = new ArrayList<String>(list("user"));
    if (given.has("me")) {
      users.add(call.invocation().caller().name());
    }
    Optional<String> jobs = given.value("jobs");
    boolean everything = jobs.isPresent() || given.has("all");
    Set<JobState> usual = everything ? EnumSet.allOf(JobState.class) : Set.of();
    return new JobQuery(
        jobs.isPresent() ? JobRefs.list(jobs.get()) : List.of(),
        states.map(StateNames.Filter::states).orElse(usual),
        users,
        list("name"),
        given.value("project"),
        narrowedHere() ? Integer.MAX_VALUE : limit);
  }

  /** The service does not tell held jobs from waiting ones, so the limit is for what we leave. */
  private boolean narrowedHere() {
    return states.flatMap(StateNames.Filter::onlyHeld).isPresent();
  }

  private List<String> list(String option) throws BadInput {
    Optional<String> text = given.value(option);
    return text.isPresent() ? ArgumentWords.list(option, text.get()) : List.of();
  }

  /** The jobs as they are now. */
  List<JobView> rows() throws Refused {
    last = Call.get(call.gflow().jobs(query));
    if (narrowedHere()) {
      List<JobView> fitting = last.jobs().stream().filter(this::fits).toList();
      last = new JobList(fitting.stream().limit(limit).toList(), fitting.size());
    }
    return sorting.apply(last.jobs());
  }

  /** The list as it is now. */
  LineParts.Text text() throws Refused {
    List<JobView> jobs = rows();
    if (given.has("json")) {
      return json(jobs);
    }
    return format.isPresent() ? lines(format.get(), jobs) : table(jobs);
  }

  /** What tells the tasks of a sweep from each other is shown where there are such. */
  private List<QueueField> columns(List<JobView> jobs) {
    boolean sweep = jobs.stream().anyMatch(job -> !job.parameters().isEmpty());
    return sweep && fields == QueueField.USUAL ? QueueField.WITH_PARAMS : fields;
  }

  /** Held and waiting jobs are both PENDING to the service. */
  private boolean fits(JobView job) {
    return states.isEmpty()
        || JobText.state(job).filter(s -> states.get().fits(s, job.held())).isPresent();
  }

  /** Whoever asks for a job by id wants to hear that there is none. */
  void refuseIfNoneOfTheNamed() throws Refused {
    boolean onlyIds = given.byName().keySet().stream().noneMatch(QueueTable::narrows);
    if (given.has("jobs") && onlyIds && last.jobs().isEmpty()) {
      throw new Refused("there is no job " + given.value("jobs").orElseThrow());
    }
  }

  private static boolean narrows(String option) {
    return List.of("states", "user", "me", "name", "project").contains(option);
  }

  /** How many rows a limit left out, for people. */
  Optional<String> left() {
    long more = last.total() - last.jobs().size();
    return more > 0 && call.invocation().terminal().columns() > 0
        ? Optional.of("… and " + more + " more")
        : Optional.empty();
  }

  private LineParts.Text json(List<JobView> jobs) {
    var root = new LinkedHashMap<String, @Nullable Object>();
    root.put("jobs", RecordJson.tree(jobs));
    root.put("total", last.total());
    return out -> Json.pretty(root, out);
  }

  private LineParts.Text lines(LineFormat<JobView> form, List<JobView> jobs) {
    return out -> {
      out.accept(given.has("noheader") ? "" : form.header() + "\n");
      jobs.forEach(job -> out.accept(form.line(job) + "\n"));
    };
  }

  private LineParts.Text table(List<JobView> jobs) {
    var table = new Table();
    List<QueueField> shown = columns(jobs);
    if (!given.has("noheader")) {
      table.header(shown.stream().map(QueueField::header).toList());
    }
    if (given.has("tree")) {
      new DependencyTree(jobs).walk((job, branch) -> table.row(() -> row(job, shown, branch)));
    } else {
      jobs.forEach(job -> table.row(() -> row(job, shown, "")));
    }
    return out -> table.lines(call.colour(), out);
  }

  private List<Cell> row(JobView job, List<QueueField> shown, String branch) {
    var cells = new ArrayList<Cell>();
    for (QueueField field : shown) {
      String text = (cells.isEmpty() ? branch : "") + field.show(job, call.zone());
      boolean state = field == QueueField.ST || field == QueueField.STATE;
      cells.add(new Cell(text, state ? Paint.ofState(job.state()) : Paint.PLAIN));
    }
    return cells;
  }
}
