package gflow.cli.slurm;

import static gflow.cli.frame.Column.column;
import static gflow.cli.slurm.SlurmJob.or;

import gflow.cli.frame.Column;
import gflow.cli.frame.Columns;
import gflow.cli.frame.JobText;
import java.util.List;

/**
 * What {@code squeue} can show: by the letters of its {@code -o} and the names of its {@code -O}.
 */
final class SqueueColumns {
  static final String USUAL = "%.18i %.9P %.8j %.8u %.2t %.10M %.6D %R";
  static final String LONG = "%.18i %.9P %.8j %.8u %.8T %.10M %.9l %.6D %R";
  static final String START = "%.18i %.9P %.8j %.8u %.2t %.19S %.6D %20Y %R";

  private static final String NA = "N/A";

  static final Columns<SlurmJob> ALL =
      new Columns<>(
          List.of(
              column('i', "JobArrayID", "JOBID", SlurmJob::id).by(job -> job.view().jobId()),
              column('A', "JobID", "JOBID", job -> job.view().jobId()),
              column('F', "ArrayJobID", "ARRAY_JOB_ID", SlurmJob::arrayId),
              column('K', "ArrayTaskID", "ARRAY_TASK_ID", SlurmJob::tasks),
              column('j', "Name", "NAME", job -> job.view().name()),
              column('P', "Partition", "PARTITION", job -> JobText.partition(job.view())),
              column('u', "UserName", "USER", job -> job.view().user()),
              column('U', "UserID", "UID", SlurmJob::uid),
              column('g', "GroupName", "GROUP", job -> job.view().user()),
              column('G', "GroupID", "GROUP", SlurmJob::gid),
              column('I', "NumCores", "CORES_PER_SOCKET", job -> "*"),
              column('J', "NumThreads", "THREADS_PER_CORE", job -> "*"),
              column('O', "Contiguous", "CONTIGUOUS", job -> "0"),
              column('s', "SelectJobInfo", "", job -> ""),
              column('X', "CoreSpec", "CORE_SPEC", job -> "N/A"),
              column('t', "StateCompact", "ST", SlurmJob::code),
              column('T', "State", "STATE", job -> job.view().state()),
              column('r', "Reason", "REASON", SlurmJob::reason),
              column('R', "ReasonList", "NODELIST(REASON)", SlurmJob::nodesOrReason),
              column('N', "NodeList", "NODELIST", SlurmJob::nodes),
              column('B', "BatchHost", "EXEC_HOST", job -> or(job.nodes(), "n/a")),
              column('D', "NumNodes", "NODES", job -> "1"),
              column('C', "NumCPUs", "CPUS", SlurmJob::cpus),
              column('n', "ReqNodes", "REQ_NODES", job -> ""),
              column('x', "ExcNodes", "EXC_NODES", job -> ""),
              column('Y', "SchedNodes", "SCHEDNODES", job -> SlurmJob.NOTHING),
              column(Column.NONE, "NumTasks", "TASKS", job -> job.view().ntasks()),
              column('c', "MinCPUs", "MIN_CPUS", SlurmJob::cpus),
              column('m', "MinMemory", "MIN_MEMORY", SqueueColumns::memory),
              column(
                  'd',
                  "MinTmpDisk",
                  "MIN_TMP_DISK",
                  job -> or(job.view().labels().get("tmp"), "0")),
              column('b', "tres-per-node", "TRES_PER_NODE", job -> JobText.gres(job.view())),
              column(Column.NONE, "Gres", "GRES", job -> JobText.gres(job.view())),
              column('f', "Feature", "FEATURES", job -> job.label("constraint")),
              column(
                      'M',
                      "TimeUsed",
                      "TIME",
                      (SlurmJob job) -> JobText.elapsed(job.view().elapsed()))
                  .by(SqueueColumns::elapsed),
              column(
                      'l',
                      "TimeLimit",
                      "TIME_LIMIT",
                      (SlurmJob job) -> JobText.limit(job.view().timeLimit()))
                  .by(SqueueColumns::limit),
              column('L', "TimeLeft", "TIME_LEFT", job -> JobText.left(job.view())),
              column('V', "SubmitTime", "SUBMIT_TIME", SlurmJob::submitted),
              column('S', "StartTime", "START_TIME", job -> job.started(NA)),
              column('e', "EndTime", "END_TIME", job -> job.ends(NA)),
              column('E', "Dependency", "DEPENDENCY", SlurmJob::dependency),
              column('Q', "PriorityLong", "PRIORITY", SqueueColumns::priority)
                  .by(job -> job.view().priority()),
              column('p', "Priority", "PRIORITY", SqueueColumns::part)
                  .by(job -> job.view().priority()),
              column('y', "Nice", "NICE", SlurmJob::nice),
              column('a', "Account", "ACCOUNT", job -> job.label("account")),
              column('q', "QOS", "QOS", job -> job.label("qos")),
              column('k', "Comment", "COMMENT", job -> or(job.view().comment(), SlurmJob.NOTHING)),
              column('v', "Reservation", "RESERVATION", job -> SlurmJob.NOTHING),
              column('W', "Licenses", "LICENSES", job -> SlurmJob.NOTHING),
              column('w', "WCKey", "WCKEY", job -> SlurmJob.NOTHING),
              column('h', "OverSubscribe", "OVER_SUBSCRIBE", job -> "OK"),
              column('H', "SCT", "S:C:T", job -> "*:*:*"),
              column('z', "ReqSCT", "S:C:T", job -> "*:*:*"),
              column('o', "Command", "COMMAND", job -> job.view().command()),
              column('Z', "WorkDir", "WORK_DIR", job -> job.view().workDir()),
              column(Column.NONE, "STDOUT", "STDOUT", job -> or(job.view().logPath(), "/dev/null")),
              column(Column.NONE, "Restarts", "RESTARTS", job -> job.view().attempt() - 1),
              column(Column.NONE, "exit_code", "EXIT_CODE", SlurmJob::exit)));

  private SqueueColumns() {}

  private static double elapsed(SlurmJob job) {
    return job.view().elapsed() == null ? 0 : job.view().elapsed();
  }

  private static double limit(SlurmJob job) {
    return job.view().timeLimit() == null ? Double.MAX_VALUE : job.view().timeLimit();
  }

  private static String memory(SlurmJob job) {
    return job.view().memory() == null ? "0" : JobText.size(job.view().memory());
  }

  private static int priority(SlurmJob job) {
    return job.view().held() ? 0 : job.view().priority();
  }

  /** A part of the highest there is. */
  private static String part(SlurmJob job) {
    double part = job.view().held() ? 0 : job.view().priority() / 255.0;
    return String.format(java.util.Locale.ROOT, "%.14f", part);
  }
}
