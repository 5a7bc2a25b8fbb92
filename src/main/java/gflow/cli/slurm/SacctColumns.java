package gflow.cli.slurm;

import static gflow.cli.slurm.SlurmJob.or;

import gflow.api.JobView;
import gflow.cli.frame.JobText;
import gflow.cli.frame.LineFormat;
import gflow.script.value.Sizes;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What {@code sacct} can show, by name, and how wide that is where nothing is said. */
final class SacctColumns {
  static final String USUAL = "JobID,JobName,Partition,Account,AllocCPUS,State,ExitCode";
  static final String BRIEF = "JobID,State,ExitCode";

  /** {@code width} is negative for text on the left. */
  record SacctColumn(String name, int width, Function<SacctRow, ?> shown) {
    /** What stands on the left stays there. */
    SacctColumn wide(int wanted) {
      return new SacctColumn(name, width < 0 ? -Math.abs(wanted) : wanted, shown);
    }

    /** What does not fit ends in a plus. */
    String fit(String text) {
      int most = Math.abs(width);
      return text.length() > most
          ? text.substring(0, most - 1) + "+"
          : LineFormat.fit(text, most, width > 0);
    }
  }

  static final List<SacctColumn> ALL =
      List.of(
          column("JobID", -12, SacctRow::id),
          column("JobIDRaw", -12, SacctRow::rawId),
          column("JobName", 10, SacctRow::name),
          column("User", 9, job(j -> j.view().user())),
          column("Account", 10, job(j -> label(j, "account"))),
          column("Partition", 10, job(j -> JobText.partition(j.view()))),
          column("QOS", 10, job(j -> label(j, "qos"))),
          column("Cluster", 10, row -> "gflow"),
          column("State", 10, SacctRow::state),
          column("ExitCode", 8, SacctRow::exit),
          column("DerivedExitCode", 15, job(SlurmJob::exit)),
          column("Reason", 22, job(SlurmJob::reason)),
          column("Elapsed", 10, row -> SlurmJob.clock(row.elapsed())),
          column("ElapsedRaw", 10, row -> seconds(row.elapsed())),
          column("Timelimit", 10, job(j -> j.limit("UNLIMITED"))),
          column("TimelimitRaw", 10, job(j -> or(minutes(j.view()), "UNLIMITED"))),
          column("Submit", 19, row -> row.job().submitted()),
          column("Eligible", 19, row -> row.job().submitted()),
          column("Start", 19, SacctRow::started),
          column("End", 19, SacctRow::ended),
          column("NCPUS", 10, SacctRow::cpus),
          column("AllocCPUS", 10, row -> ran(row, row.cpus())),
          column("ReqCPUS", 8, SacctRow::cpus),
          column("NNodes", 8, row -> "1"),
          column("AllocNodes", 10, row -> ran(row, 1)),
          column("NTasks", 8, SacctRow::ntasks),
          column("NodeList", 15, row -> or(row.job().nodes(), "None assigned")),
          column("ReqMem", 10, job(j -> bytes(j.view().memory(), "0"))),
          column("MaxRSS", 10, SacctColumns::kilobytes),
          column("AveRSS", 10, SacctColumns::kilobytes),
          column("TotalCPU", 10, row -> exact(row.cpuUsed())),
          column("CPUTime", 10, row -> SlurmJob.clock(cpuTime(row))),
          column("CPUTimeRAW", 10, row -> seconds(cpuTime(row))),
          column("ReqTRES", 10, job(ScontrolJob::tres)),
          column("AllocTRES", 10, SacctRow::tres),
          column("Priority", 10, job(j -> j.view().priority())),
          column("Restarts", 10, job(j -> j.view().attempt() - 1)),
          column("WorkDir", 20, job(j -> j.view().workDir())),
          column("SubmitLine", 20, job(j -> j.view().command())),
          column("Comment", 14, job(j -> or(j.view().comment(), ""))),
          column("StdOut", 10, job(j -> or(j.view().logPath(), "/dev/null"))));

  private SacctColumns() {}

  private static SacctColumn column(String name, int width, Function<SacctRow, ?> shown) {
    return new SacctColumn(name, width, shown);
  }

  /** Only the job itself has it. */
  private static Function<SacctRow, ?> job(Function<SlurmJob, ?> shown) {
    return row -> row.whole() ? shown.apply(row.job()) : "";
  }

  private static String label(SlurmJob job, String name) {
    return job.view().labels().getOrDefault(name, "");
  }

  private static int ran(SacctRow row, int value) {
    return row.job().nodes().isEmpty() ? 0 : value;
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
