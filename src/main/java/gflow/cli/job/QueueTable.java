package gflow.cli.job;

import gflow.api.ApiRequest.Jobs;
import gflow.api.Gflow.JobList;
import gflow.api.Gflow.JobQuery;
import gflow.api.JobView;
import gflow.cli.frame.ArgumentWords;
import gflow.cli.frame.Call;
import gflow.cli.frame.Column;
import gflow.cli.frame.Columns;
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
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What {@code gqueue} is to list, and in which form; asked for anew each time. */
final class QueueTable {
  private final Call call;
  private final Given given;
  private final JobQuery query;
  private final Optional<StateNames.Filter> states;
  private final Columns<JobView> columns;
  private final List<Column<JobView>> fields;
  private final Optional<LineFormat<JobView>> format;
  private final Comparator<JobView> order;
  private final int limit;
  private JobList last = new JobList(List.of(), 0);

  QueueTable(Call call, Given given) throws BadInput {
    this.call = call;
    this.given = given;
    if (given.has("fields") && given.has("format")) {
      throw new BadInput("--fields and --format exclude each other");
    }
    states = given.read("states", StateNames::parse);
    columns = QueueColumns.in(call.zone());
    fields = QueueColumns.list(columns, given.value("fields").orElse(QueueColumns.USUAL));
    format = given.read("format", text -> LineFormat.parse(text, columns));
    order = Columns.order(given.value("sort"), word -> QueueColumns.byName(columns, word));
    limit =
        given
            .read("limit", text -> ArgumentWords.number("--limit", text, 1, Integer.MAX_VALUE))
            .orElse(Integer.MAX_VALUE);
    query = query();
  }

  private JobQuery query() throws BadInput {
    boolean everything = given.has("jobs") || given.has("all");
    Set<JobState> usual = everything ? EnumSet.allOf(JobState.class) : Set.of();
    return new JobQuery(
        given.read("jobs", JobRefs::list).orElse(List.of()),
        states.map(StateNames.Filter::states).orElse(usual),
        ArgumentWords.users(call, given),
        ArgumentWords.list(given, "name"),
        given.value("project"),
        narrowedHere() ? Integer.MAX_VALUE : limit);
  }

  /** The service does not tell held jobs from waiting ones, so the limit is for what we leave. */
  private boolean narrowedHere() {
    return states.flatMap(StateNames.Filter::onlyHeld).isPresent();
  }

  /** The jobs as they are now. */
  List<JobView> rows() throws Refused {
    last = call.ask(new Jobs(query));
    if (narrowedHere()) {
      List<JobView> fitting = last.jobs().stream().filter(this::fits).toList();
      last = new JobList(fitting.stream().limit(limit).toList(), fitting.size());
    }
    return last.jobs().stream().sorted(order).toList();
  }

  /** The list as it is now. */
  LineParts.Text text() throws BadInput, Refused {
    List<JobView> jobs = rows();
    boolean once = !given.has("watch") && !given.has("iterate");
    if (once && jobs.isEmpty()) {
      refuseIfTheyWereNamed();
    }
    if (given.has("json")) {
      return json(jobs);
    }
    return format.isPresent()
        ? format.get().text(jobs, !given.has("noheader"), "")
        : table(jobs, columns(jobs));
  }

  /** What tells the tasks of a sweep from each other is shown where there are such. */
  private List<Column<JobView>> columns(List<JobView> jobs) throws BadInput {
    boolean sweep = jobs.stream().anyMatch(job -> !job.parameters().isEmpty());
    return sweep && !given.has("fields")
        ? QueueColumns.list(columns, QueueColumns.WITH_PARAMS)
        : fields;
  }

  /** Held and waiting jobs are both PENDING to the service. */
  private boolean fits(JobView job) {
    return states.isEmpty()
        || JobText.state(job).filter(s -> states.get().fits(s, job.held())).isPresent();
  }

  /** Whoever asks for a job by id wants to hear that there is none. */
  private void refuseIfTheyWereNamed() throws Refused {
    boolean onlyIds = given.byName().keySet().stream().noneMatch(QueueTable::narrows);
    if (given.has("jobs") && onlyIds) {
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

  private LineParts.Text table(List<JobView> jobs, List<Column<JobView>> shown) {
    var table = new Table();
    if (!given.has("noheader")) {
      table.header(shown.stream().map(QueueColumns::header).toList());
    }
    if (given.has("tree")) {
      new DependencyTree(jobs).walk((job, branch) -> table.row(new Row(job, shown, branch)));
    } else {
      jobs.forEach(job -> table.row(new Row(job, shown, "")));
    }
    return out -> table.lines(call.colour(), out);
  }

  private record Row(JobView job, List<Column<JobView>> shown, String branch)
      implements Supplier<List<Cell>> {
    @Override
    public List<Cell> get() {
      var cells = new ArrayList<Cell>(shown.size());
      for (Column<JobView> column : shown) {
        String value = column.shown(job);
        String text = cells.isEmpty() && !branch.isEmpty() ? branch + value : value;
        boolean state = column.letter() == 't' || column.letter() == 'T';
        cells.add(new Cell(text, state ? Paint.ofState(job.state()) : Paint.PLAIN));
      }
      return cells;
    }
  }
}
