package gflow.job;

import gflow.job.JobSpec.Tasks;
import gflow.job.JobSpec.Terms;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Small jobs for these tests. */
final class Jobs {
  static final Instant T0 = Instant.parse("2026-03-01T12:00:00Z");
  static final Allocation NOTHING = new Allocation(List.of(), Ranges.EMPTY, 0);

  private Jobs() {}

  static Terms terms(int retries, boolean requeue) {
    return SampleSpec.terms(Optional.empty(), retries, requeue);
  }

  static JobSpec spec(Tasks tasks, Terms terms) {
    return SampleSpec.of(new Program.ShellLine("true")).withTasks(tasks).withTerms(terms);
  }

  /** Five tasks with the indices 3 to 7, of which at most so many run at a time. */
  static Job array(int limit) {
    var tasks = new Tasks(Optional.of(Ranges.of(3, 7)), Sweep.NONE, limit);
    return Job.submitted(new JobId(40), spec(tasks, terms(0, false)), T0);
  }

  static Job retried(int retries, boolean requeue) {
    return Job.submitted(new JobId(40), spec(Tasks.ONE, terms(retries, requeue)), T0);
  }

  static Attempt attempt(int number, long seconds) {
    return new Attempt(number, NOTHING, T0.plusSeconds(seconds), new Where.Here("boot"));
  }

  static TaskState starting(int number, long seconds) {
    return new TaskState.Starting(attempt(number, seconds));
  }

  static TaskState ended(JobState state, Exit exit) {
    return new TaskState.Ended(Optional.of(attempt(1, 0)), outcome(state, exit));
  }

  static Outcome outcome(JobState state, Exit exit) {
    return new Outcome(state, exit, Usage.UNKNOWN, T0.plusSeconds(9), "");
  }
}
