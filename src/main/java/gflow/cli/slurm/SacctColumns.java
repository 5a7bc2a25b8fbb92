package gflow.cli.slurm;

import static gflow.cli.slurm.SlurmJob.or;

import gflow.api.JobView;
import gflow.cli.frame.Column;
import gflow.cli.frame.Columns;
import gflow.cli.frame.JobText;
import gflow.script.value.Sizes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What {@code sacct} can show, by name, and how wide that is where nothing is said. */
final class SacctColumns {
  static final String USUAL = "JobID,JobName,Partition,Account,AllocCPUS,State,ExitCode";
  static final String BRIEF = "JobID,State,ExitCode";

  private static final SequencedMap<String, Integer> WIDTHS = new LinkedHashMap<>();
  private static final int USUAL_WIDTH = 10;

  static {
    WIDTHS.put("jobid", -12);
    WIDTHS.put("jobidraw", -12);
    WIDTHS.put("user", 9);
    WIDTHS.put("exitcode", 8);
    WIDTHS.put("derivedexitcode", 15);
    WIDTHS.put("start", 19);
    WIDTHS.put("end", 19);
    WIDTHS.put("submit", 19);
    WIDTHS.put("eligible", 19);
    WIDTHS.put("nodelist", 15);
    WIDTHS.put("nnodes", 8);
    WIDTHS.put("allocnodes", 10);
    WIDTHS.put("ntasks", 8);
    WIDTHS.put("reqcpus", 8);
    WIDTHS.put("workdir", 20);
    WIDTHS.put("uid", 6);
    WIDTHS.put("reason", 22);
    WIDTHS.put("comment", 14);
    WIDTHS.put("submitline", 20);
  }

  static final Columns<SacctRow> ALL =
      new Columns<>(
          List.of(
              column("JobID", SacctRow::id),
              column("JobIDRaw", SacctRow::rawId),
              column("JobName", SacctRow::name),
              column("User", job(SacctColumns::user)),
              column("Account", job(j -> label(j, "account"))),
              column("Partition", job(j -> JobText.partition(j.view()))),
              column("QOS", job(j -> label(j, "qos"))),
              column("Cluster", row -> "gflow"),
              column("State", SacctRow::state),
              column("ExitCode", SacctRow::exit),
              column("DerivedExitCode", job(SlurmJob::exit)),
              column("Reason", job(SlurmJob::reason)),
              column("Elapsed", row -> SlurmJob.clock(row.elapsed())),
              column("ElapsedRaw", row -> Long.toString(seconds(row.elapsed()))),
              column("Timelimit", job(j -> j.limit("UNLIMITED"))),
              column("TimelimitRaw", job(j -> or(minutes(j.view()), "UNLIMITED"))),
              column("Submit", row -> row.job().submitted()),
              column("Eligible", row -> row.job().submitted()),
              column("Start", SacctRow::started),
              column("End", SacctRow::ended),
              column("NCPUS", row -> Integer.toString(row.cpus())),
              column("AllocCPUS", row -> ran(row, Integer.toString(row.cpus()), "0")),
              column("ReqCPUS", row -> Integer.toString(row.cpus())),
              column("NNodes", row -> "1"),
              column("AllocNodes", row -> ran(row, "1", "0")),
              column("NTasks", SacctRow::ntasks),
              column("NodeList", row -> or(row.job().nodes(), "None assigned")),
              column("ReqMem", job(j -> bytes(j.view().memory(), "0"))),
              column("MaxRSS", SacctColumns::kilobytes),
              column("AveRSS", SacctColumns::kilobytes),
              column("TotalCPU", row -> exact(row.cpuUsed())),
              column("CPUTime", row -> SlurmJob.clock(cpuTime(row))),
              column("CPUTimeRAW", row -> Long.toString(seconds(cpuTime(row)))),
              column("ReqTRES", job(ScontrolJob::tres)),
              column("AllocTRES", SacctRow::tres),
              column("Priority", job(j -> Integer.toString(j.view().priority()))),
              column("Restarts", job(j -> Integer.toString(j.view().attempt() - 1))),
              column("WorkDir", job(j -> j.view().workDir())),
              column("SubmitLine", job(j -> j.view().command())),
              column("Comment", job(j -> or(j.view().comment(), ""))),
              column("StdOut", job(j -> or(j.view().logPath(), "/dev/null")))));

  private SacctColumns() {}

  /** Negative where the text stands to the left. */
  static int width(String name) {
    return WIDTHS.getOrDefault(name.toLowerCase(Locale.ROOT), USUAL_WIDTH);
  }

  private static Column<SacctRow> column(String name, Function<SacctRow, String> shown) {
    return Column.of(Column.NONE, name, name, shown);
  }

  /** Only the job itself has it. */
  private static Function<SacctRow, String> job(Function<SlurmJob, String> shown) {
    return row -> row.whole() ? shown.apply(row.job()) : "";
  }

  private static String user(SlurmJob job) {
    return job.view().user();
  }

  private static String label(SlurmJob job, String name) {
    return job.view().labels().getOrDefault(name, "");
  }

  private static String ran(SacctRow row, String value, String otherwise) {
    return row.job().nodes().isEmpty() ? otherwise : value;
  }

  private static long seconds(@Nullable Double seconds) {
    return seconds == null ? 0 : (long) (double) seconds;
  }

  private static double cpuTime(SacctRow row) {
    return (double) seconds(row.elapsed()) * row.cpus();
  }

  private static @Nullable Long minutes(JobView job) {
    return job.timeLimit() == null ? null : Math.ceilDiv(job.timeLimit(), 60);
  }

  private static String bytes(@Nullable Long bytes, String none) {
    return bytes == null ? none : Sizes.rounded(bytes);
  }

  private static String kilobytes(SacctRow row) {
    @Nullable Long bytes = row.peakMemory();
    return bytes == null ? "" : (bytes >> 10) + "K";
  }

  /** Below an hour with thousandths: {@code 01:02.345}. */
  private static String exact(@Nullable Double seconds) {
    if (seconds == null || seconds >= 3600) {
      return seconds == null ? "00:00:00" : SlurmJob.clock(seconds);
    }
    return String.format(Locale.ROOT, "%02d:%06.3f", (long) (seconds / 60), seconds % 60);
  }
}
