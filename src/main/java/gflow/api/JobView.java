package gflow.api;

import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A job, or a task of an array, as users see it; in JSON under the same names in snake case. A row
 * of waiting array tasks has {@code arrayTasks} ({@code 0,5,9-12}) instead of an index. Times are
 * ISO-8601 with offset, durations whole seconds, sizes bytes; null is "not known" or "not asked
 * for". The {@code cause} is a word for what it died of, {@code reason} says it to people. An
 * elastic job can use {@code mostGpus}; of its {@code gpuIds} some are on loan. {@code progress} is
 * what it says of itself, {@code notice} what people should know of it while it runs. What was
 * {@code requested} is told by the names of the options, memory in MB. The {@code labels} are what
 * means nothing on one machine and is kept, as account and partition. The {@code parameters} are
 * those of one task of a sweep. The {@code attempts} are there only where one job is shown, not in
 * lists.
 */
public record JobView(
    long jobId,
    @Nullable Long arrayJobId,
    @Nullable Integer arrayTaskId,
    @Nullable String arrayTasks,
    String name,
    String user,
    String state,
    @Nullable String reason,
    @Nullable String cause,
    @Nullable Integer exitCode,
    @Nullable Integer signal,
    int gpus,
    @Nullable Integer mostGpus,
    @Nullable Double gpuShare,
    @Nullable Long gpuMemory,
    List<Integer> gpuIds,
    List<Integer> lentGpuIds,
    int cpus,
    List<Integer> cpuIds,
    @Nullable String cpuBinding,
    @Nullable Long memory,
    int ntasks,
    int priority,
    @Nullable Long timeLimit,
    String submitTime,
    @Nullable String beginTime,
    @Nullable String startTime,
    @Nullable String endTime,
    @Nullable Double elapsed,
    int attempt,
    int retries,
    List<String> retryOn,
    @Nullable String dependency,
    @Nullable String project,
    @Nullable String comment,
    String command,
    String workDir,
    @Nullable String logPath,
    @Nullable Double cpuTime,
    @Nullable Long peakMemory,
    @Nullable Double gpuSeconds,
    @Nullable String progress,
    @Nullable String notice,
    boolean held,
    boolean requeue,
    SortedMap<String, String> requested,
    SortedMap<String, String> labels,
    SortedMap<String, String> parameters,
    List<AttemptView> attempts) {

  public JobView withAttempts(List<AttemptView> all) {
    return with(jobId, reason, submitTime, logPath, all);
  }

  /** The row of another job that was submitted with the same spec and waits as this one does. */
  public JobView ofTwin(long id, String why, String submitted, @Nullable String log) {
    return with(id, why, submitted, log, attempts);
  }

  private JobView with(
      long id,
      @Nullable String why,
      String submitted,
      @Nullable String log,
      List<AttemptView> all) {
    return new JobView(
        id,
        arrayJobId,
        arrayTaskId,
        arrayTasks,
        name,
        user,
        state,
        why,
        cause,
        exitCode,
        signal,
        gpus,
        mostGpus,
        gpuShare,
        gpuMemory,
        gpuIds,
        lentGpuIds,
        cpus,
        cpuIds,
        cpuBinding,
        memory,
        ntasks,
        priority,
        timeLimit,
        submitted,
        beginTime,
        startTime,
        endTime,
        elapsed,
        attempt,
        retries,
        retryOn,
        dependency,
        project,
        comment,
        command,
        workDir,
        log,
        cpuTime,
        peakMemory,
        gpuSeconds,
        progress,
        notice,
        held,
        requeue,
        requested,
        labels,
        parameters,
        all);
  }
}
