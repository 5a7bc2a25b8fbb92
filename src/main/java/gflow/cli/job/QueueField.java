package gflow.cli.job;

import gflow.api.JobView;
import gflow.cli.frame.Column;
import gflow.cli.frame.Columns;
import gflow.cli.frame.JobText;
import gflow.script.value.BadInput;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A column of {@code gqueue}: its name, squeue's letter and header for it, and what it shows. */
@SuppressWarnings("ImmutableEnumChecker") // The functions hold no state.
enum QueueField {
  JOBID('i', JobText::id),
  NAME('j', JobView::name),
  ST('t', JobText::code),
  STATE('T', JobView::state),
  TIME('M', job -> JobText.elapsed(job.elapsed())),
  TIMELIMIT('l', "TIME_LIMIT", job -> JobText.limit(job.timeLimit())),
  TIMELEFT('L', "TIME_LEFT", JobText::left),
  NODES('D', job -> Integer.toString(job.gpus())),
  NODELIST('R', "NODELIST(REASON)", JobText::nodesOrReason),
  REASON('r', job -> JobText.why(job).orElse("None")),
  GPUS('N', "NODELIST", JobText::gpuIds),
  USER('u', JobView::user),
  PRIORITY('Q', job -> Integer.toString(job.priority())),
  PROJECT('a', "ACCOUNT", job -> or(job.project(), "-")),
  PARTITION('P', JobText::partition),
  EXIT('x', JobText::exit),
  CPUS('C', job -> Integer.toString(job.cpus())),
  NTASKS('n', job -> Integer.toString(job.ntasks())),
  MEM('m', "MIN_MEMORY", job -> JobText.size(job.memory())),
  GRES('b', "TRES_PER_NODE", JobText::gres),
  SUBMIT('V', "SUBMIT_TIME", (job, zone) -> JobText.time(job.submitTime(), zone)),
  BEGIN('B', "BEGIN_TIME", (job, zone) -> JobText.time(job.beginTime(), zone)),
  START('S', "START_TIME", (job, zone) -> JobText.time(job.startTime(), zone)),
  END('e', "END_TIME", (job, zone) -> JobText.time(job.endTime(), zone)),
  DEPENDENCY('E', job -> or(job.dependency(), "-")),
  ATTEMPT('q', job -> Integer.toString(job.attempt())),
  COMMENT('k', job -> or(job.comment(), "-")),
  COMMAND('o', JobView::command),
  WORKDIR('Z', "WORK_DIR", JobView::workDir),
  ARRAYJOBID('F', "ARRAY_JOB_ID", job -> or(job.arrayJobId(), job.jobId())),
  ARRAYTASKID('K', "ARRAY_TASK_ID", JobText::index),
  PARAMS('@', JobText::parameters),
  PROGRESS('G', job -> or(job.progress(), "-")),
  NUMBER('A', "JOBID", job -> Long.toString(job.jobId()));

  static final List<QueueField> USUAL = List.of(JOBID, NAME, ST, TIME, NODES, NODELIST);

  static final List<QueueField> WITH_PARAMS =
      List.of(JOBID, NAME, PARAMS, ST, TIME, NODES, NODELIST);

  private final char letter;
  private final String squeueHeader;
  private final BiFunction<JobView, ZoneId, String> shown;

  QueueField(char letter, Function<JobView, String> shown) {
    this.letter = letter;
    this.squeueHeader = name();
    this.shown = (job, zone) -> shown.apply(job);
  }

  QueueField(char letter, String squeueHeader, Function<JobView, String> shown) {
    this(letter, squeueHeader, (job, zone) -> shown.apply(job));
  }

  QueueField(char letter, String squeueHeader, BiFunction<JobView, ZoneId, String> shown) {
    this.letter = letter;
    this.squeueHeader = squeueHeader;
    this.shown = shown;
  }

  /** What stands above the column when it was asked for by name. */
  String header() {
    return this == NODELIST ? squeueHeader : name();
  }

  String show(JobView job, ZoneId zone) {
    return shown.apply(job, zone);
  }

  /** For squeue's {@code -o}, with times on that clock. */
  static Columns<JobView> columns(ZoneId zone) {
    return new Columns<>(
        Arrays.stream(values())
            .map(f -> Column.<JobView>of(f.letter, f.name(), f.squeueHeader, f.at(zone)))
            .toList());
  }

  private Function<JobView, String> at(ZoneId zone) {
    return job -> show(job, zone);
  }

  /** A list as in {@code -f JOBID,NAME,NODELIST}, in any case. */
  static List<QueueField> list(String names) throws BadInput {
    var fields = new java.util.ArrayList<QueueField>();
    for (String name : names.split(",", -1)) {
      fields.add(byName(name.strip()));
    }
    return fields;
  }

  static QueueField byName(String name) throws BadInput {
    String wanted = name.toUpperCase(Locale.ROOT).replace("_", "");
    for (QueueField field : values()) {
      if (wanted.equals(field.name()) || wanted.equals(field.squeueHeader.replace("_", ""))) {
        return field;
      }
    }
    throw new BadInput("there is no field '" + name + "'; there are " + names());
  }

  static String names() {
    return Arrays.stream(values())
        .map(QueueField::header)
        .filter(name -> !name.equals("NUMBER"))
        .collect(Collectors.joining(" "));
  }

  private static String or(@Nullable Object value, Object otherwise) {
    return String.valueOf(value == null || value.equals("") ? otherwise : value);
  }
}
