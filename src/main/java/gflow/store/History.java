package gflow.store;

import gflow.job.Attempt;
import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobState;
import gflow.job.Outcome;
import gflow.job.Step;
import gflow.job.TaskId;
import gflow.store.Store.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What happened: reads beside the writer, from any thread. */
public interface History {
  /** The job that owns this number, by its own id or by that of one of its tasks; over or not. */
  Optional<Job> job(JobId number) throws StoreException;

  /**
   * The last attempt of each ended task that fits, newest end first and of equal ends the highest
   * number; a task that waits for another try has not ended.
   */
  List<EndedTask> ended(Query query) throws StoreException;

  /** All attempts of a task that are over, oldest first. */
  List<PastAttempt> attempts(TaskId task) throws StoreException;

  /** All steps of a task, of all its attempts, oldest first. */
  List<PastStep> steps(TaskId task) throws StoreException;

  /** The newest job of that user, also after the daemon was restarted. */
  Optional<JobId> lastJob(int uid) throws StoreException;

  Stats stats(StatsQuery query) throws StoreException;

  /**
   * A task that is over; {@code attempt} is absent if it was cancelled while it waited. {@code
   * lent}: how long it had cards on loan, those of each summed up.
   */
  record EndedTask(Job job, int offset, Optional<Attempt> attempt, Outcome outcome, Duration lent) {
    public EndedTask(Job job, int offset, Optional<Attempt> attempt, Outcome outcome) {
      this(job, offset, attempt, outcome, Duration.ZERO);
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
   * attempt, but are counted. The wait is that of the first attempt of each task.
   */
  record Stats(
      List<StateCount> byState,
      double gpuSeconds,
      double cpuSeconds,
      double meanWait,
      double meanRun,
      List<UserSum> byUser) {}

  record StateCount(JobState state, long count) {}

  record UserSum(String user, long count, double gpuSeconds, double cpuSeconds) {}
}
