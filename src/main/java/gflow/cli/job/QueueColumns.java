package gflow.cli.job;

import static gflow.cli.frame.Column.column;

import gflow.api.JobView;
import gflow.cli.frame.Column;
import gflow.cli.frame.Columns;
import gflow.cli.frame.JobText;
import gflow.script.value.BadInput;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The columns of {@code gqueue}: each has a name, and squeue's letter and header for it. */
final class QueueColumns {
  static final String USUAL = "JOBID,NAME,ST,TIME,NODES,NODELIST";
  static final String WITH_PARAMS = "JOBID,NAME,PARAMS,ST,TIME,NODES,NODELIST";

  private QueueColumns() {}

  /** With times on that clock. */
  static Columns<JobView> in(ZoneId zone) {
    return new Columns<>(
        List.of(
            named('i', "JOBID", JobText::id).by(JobView::jobId),
            named('j', "NAME", JobView::name),
            named('t', "ST", JobText::code),
            named('T', "STATE", JobView::state),
            named('M', "TIME", job -> JobText.elapsed(job.elapsed()))
                .by(job -> job.elapsed() == null ? 0 : job.elapsed()),
            column('l', "TIMELIMIT", "TIME_LIMIT", (JobView job) -> JobText.limit(job.timeLimit()))
                .by(job -> job.timeLimit() == null ? Double.MAX_VALUE : job.timeLimit()),
            column('L', "TIMELEFT", "TIME_LEFT", JobText::left),
            named('D', "NODES", JobText::gpus).by(JobView::gpus),
            column('R', "NODELIST", "NODELIST(REASON)", JobText::nodesOrReason),
            named('r', "REASON", job -> JobText.why(job).orElse("None")),
            column('N', "GPUS", "NODELIST", JobText::gpuIds),
            named('u', "USER", JobView::user),
            named('Q', "PRIORITY", JobView::priority),
            column('a', "PROJECT", "ACCOUNT", job -> or(job.project(), "-")),
            named('P', "PARTITION", JobText::partition),
            named('x', "EXIT", JobText::exit),
            named('C', "CPUS", JobView::cpus),
            named('n', "NTASKS", JobView::ntasks),
            column('m', "MEM", "MIN_MEMORY", (JobView job) -> JobText.size(job.memory()))
                .by(job -> job.memory() == null ? 0 : job.memory()),
            column('b', "GRES", "TRES_PER_NODE", JobText::gres),
            column('V', "SUBMIT", "SUBMIT_TIME", job -> JobText.time(job.submitTime(), zone)),
            column('B', "BEGIN", "BEGIN_TIME", job -> JobText.time(job.beginTime(), zone)),
            column('S', "START", "START_TIME", job -> JobText.time(job.startTime(), zone)),
            column('e', "END", "END_TIME", job -> JobText.time(job.endTime(), zone)),
            named('E', "DEPENDENCY", job -> or(job.dependency(), "-")),
            named('q', "ATTEMPT", JobView::attempt),
            named('k', "COMMENT", job -> or(job.comment(), "-")),
            named('o', "COMMAND", JobView::command),
            column('Z', "WORKDIR", "WORK_DIR", JobView::workDir),
            column('F', "ARRAYJOBID", "ARRAY_JOB_ID", job -> or(job.arrayJobId(), job.jobId())),
            column('K', "ARRAYTASKID", "ARRAY_TASK_ID", JobText::index),
            named('@', "PARAMS", JobText::parameters),
            named('G', "PROGRESS", job -> or(job.progress(), "-")),
            column('A', "NUMBER", "JOBID", JobView::jobId)));
  }

  private static Column<JobView> named(char letter, String name, Function<JobView, ?> value) {
    return column(letter, name, name, value);
  }

  /** A list as in {@code -f JOBID,NAME,NODELIST}, in any case. */
  static List<Column<JobView>> list(Columns<JobView> columns, String names) throws BadInput {
    var list = new ArrayList<Column<JobView>>();
    for (String name : names.split(",", -1)) {
      list.add(byName(columns, name.strip()));
    }
    return list;
  }

  static Column<JobView> byName(Columns<JobView> columns, String name) throws BadInput {
    String wanted = name.toUpperCase(Locale.ROOT).replace("_", "");
    return columns.all().stream()
        .filter(c -> wanted.equals(c.name()) || wanted.equals(c.header().replace("_", "")))
        .findFirst()
        .orElseThrow(() -> new BadInput("there is no field '" + name + "'; there are " + names()));
  }

  /** What stands above a column that was asked for by name. */
  static String header(Column<JobView> column) {
    return column.name().equals("NODELIST") ? column.header() : column.name();
  }

  static String names() {
    return in(ZoneOffset.UTC).all().stream()
        .map(QueueColumns::header)
        .filter(name -> !name.equals("NUMBER"))
        .collect(Collectors.joining(" "));
  }

  private static String or(@Nullable Object value, Object otherwise) {
    return String.valueOf(value == null || value.equals("") ? otherwise : value);
  }
}
