package gflow.store;

import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.Exit;
import gflow.job.GpuCurve;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobState;
import gflow.job.Outcome;
import gflow.job.Ranges;
import gflow.job.Step;
import gflow.job.TaskId;
import gflow.job.TaskNumbers;
import gflow.job.Usage;
import gflow.store.Store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** What happened: reads beside the writer, from any thread. */
public interface History {
  /** The job that owns this number, by its own id or by that of one of its tasks; over or not. */
  Optional<Job> job(JobId number) throws StoreException;

  /**
   * The jobs that own these numbers, each once, in the order of their ids: a hundred thousand
   * numbers are one question.
   */
  List<Known> known(Collection<JobId> numbers) throws StoreException;

  /**
   * What others must know of a job: which tasks it has, and how those ended that are over. That of
   * one that is over never changes.
   */
  record Known(
      TaskNumbers numbers, Optional<Ranges> array, boolean over, Ranges failed, Instant lastStart) {
    public static Known of(Job job) {
      return new Known(
          job.numbers(),
          job.spec().tasks().array(),
          job.over(),
          job.tally().failed(),
          job.tally().lastStart());
    }

    public JobId id() {
      return numbers.id();
    }
  }

  /**
   * The last attempt of each ended task that fits, newest end first and of equal ends the highest
   * number; a task that waits for another try has not ended. The tasks of a job that were cancelled
   * while they waited are one row.
   */
  void ended(Query query, Reader reader) throws StoreException;

  /** Takes what was found, row by row: all of them at once may be too many. */
  interface Reader {
    /** False: that is enough. */
    boolean take(Ended row);
  }

  default List<Ended> ended(Query query) throws StoreException {
    var all = new ArrayList<Ended>();
    ended(query, all::add);
    return all;
  }

  /** How many rows that would be, whatever its limit. */
  long count(Query query) throws StoreException;

  /** All attempts of a task that are over, oldest first. */
  List<PastAttempt> attempts(JobId number) throws StoreException;

  /** What an attempt of that task made of its GPUs over time, as far as that was seen. */
  Optional<GpuCurve> gpuCurve(AttemptId id) throws StoreException;

  /** All steps of a task, of all its attempts, oldest first. */
  List<PastStep> steps(TaskId task) throws StoreException;

  /** Which tasks of a job had steps, or have some now; at most so many of them. */
  List<TaskId> stepped(Job job, int limit) throws StoreException;

  /** The newest job of that user, also after the daemon was restarted. */
  Optional<JobId> lastJob(int uid) throws StoreException;

  Stats stats(StatsQuery query) throws StoreException;

  /**
   * A task that is over, or all those of a job that were cancelled while they waited: a million of
   * them is one row, as it was one cancel. {@code lent}: how long it had GPUs on loan, those of
   * each summed up.
   */
  record Ended(Job job, Ranges offsets, Optional<Attempt> attempt, Outcome outcome, Duration lent) {
    public static Ended task(Job job, int offset, Attempt attempt, Outcome outcome, Duration lent) {
      return new Ended(job, Ranges.of(offset, offset), Optional.of(attempt), outcome, lent);
    }

    public static Ended dropped(Job job, Ranges offsets) {
      var dropped = job.dropped();
      var outcome =
          new Outcome(JobState.CANCELLED, Exit.OK, Usage.UNKNOWN, dropped.at(), dropped.why());
      return new Ended(job, offsets, Optional.empty(), outcome, Duration.ZERO);
    }
  }

  record PastAttempt(Attempt attempt, Outcome outcome) {}

  /** A step that runs has no end. */
  record PastStep(Step step, Optional<Step.End> end) {}

  /**
   * Empty lists and sets say nothing; {@code numbers} are job ids (all of the job's tasks) or task
   * numbers.
   */
  record Query(
      List<JobId> numbers,
      Set<JobState> states,
      List<String> users,
      List<String> names,
      Optional<String> project,
      Optional<Instant> endedSince,
      int limit) {}

  record StatsQuery(Optional<String> user, Optional<String> project, Optional<Instant> since) {}

  /**
   * Sums over ended attempts; times in seconds. Tasks that were cancelled while they waited have no
   * attempt, but are counted. The wait is that of the first attempt of each task; the use of GPUs,
   * in percent, is that of the GPU time in which it was seen.
   */
  record Stats(
      List<StateCount> byState,
      double gpuSeconds,
      double cpuSeconds,
      double meanWait,
      double meanRun,
      OptionalDouble meanGpuUse,
      List<UserSum> byUser) {}

  record StateCount(JobState state, long count) {}

  record UserSum(String user, long count, double gpuSeconds, double cpuSeconds) {}
}
