package gflow.api;

import gflow.job.JobRef;
import gflow.job.JobState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The service. In the daemon it is the real thing, elsewhere a client that speaks HTTP; commands do
 * not see the difference. An instance speaks for one caller, whose identity the kernel gave.
 */
public interface Gflow {
  <A> Answer<A> ask(ApiRequest<A> request);

  /** {@code warning}: what the job was given otherwise than it asked. */
  record Receipt(long jobId, int tasks, String name, String logPath, Optional<String> warning) {}

  /** {@code waits} is empty if it would start at once; the id is the one it would get now. */
  record Preview(
      long jobId,
      String name,
      int tasks,
      int cpus,
      String command,
      String resources,
      String waits,
      List<String> first) {}

  /**
   * Empty collections say nothing; states default to those that are not over. {@code endedSince}
   * leaves out what was over before.
   */
  record JobQuery(
      List<JobRef> jobs,
      Set<JobState> states,
      List<String> users,
      List<String> names,
      Optional<String> project,
      Optional<Instant> endedSince,
      int limit) {
    public JobQuery(
        List<JobRef> jobs,
        Set<JobState> states,
        List<String> users,
        List<String> names,
        Optional<String> project,
        int limit) {
      this(jobs, states, users, names, project, Optional.empty(), limit);
    }
  }

  /** The jobs that fit, at most as many as asked for, and how many there are. */
  record JobList(List<JobView> jobs, long total) {}

  /**
   * Which jobs to cancel: those named, or all that fit the rest (which must say something). With
   * states only their tasks in these; {@code held}: of the pending ones those that are held, or
   * those that are not.
   */
  record Selection(
      List<JobRef> jobs,
      Set<JobState> states,
      Optional<Boolean> held,
      List<String> users,
      List<String> names,
      boolean all) {
    public static final Selection ALL =
        new Selection(List.of(), Set.of(), Optional.empty(), List.of(), List.of(), true);

    public static Selection of(List<JobRef> jobs) {
      return new Selection(jobs, Set.of(), Optional.empty(), List.of(), List.of(), false);
    }
  }

  /** What was done to one job; {@code changed} is false if there was nothing to do. */
  record Done(String job, boolean changed, String text) {
    private static final String UNKNOWN = "no such job";

    public static Done unknown(String job) {
      return new Done(job, false, UNKNOWN);
    }

    public boolean isUnknown() {
      return !changed && text.equals(UNKNOWN);
    }
  }

  /** {@code roles}: of a group, what the logs of its roles begin with. */
  record LogPlace(
      String path,
      Optional<String> errorPath,
      boolean over,
      Optional<String> oneOf,
      Optional<String> roles) {
    public LogPlace(String path, Optional<String> errorPath, boolean over, Optional<String> oneOf) {
      this(path, errorPath, over, oneOf, Optional.empty());
    }
  }

  /** What an operator may change; it outlives the daemon. */
  sealed interface Control {
    /** Only these indices get new jobs; empty = all. */
    record SetGpus(Optional<List<Integer>> allowed) implements Control {}

    record Drain(List<Integer> gpus, String why) implements Control {}

    record Undrain(List<Integer> gpus) implements Control {}

    /** Nothing starts; what runs goes on. */
    record Pause(String why) implements Control {}

    record Resume() implements Control {}

    /** Of a job ({@code 42}), a user ({@code user:alice}) or a project; 0 removes the limit. */
    record SetLimit(String subject, int limit) implements Control {}

    /** Ignore outsiders of that user or command; or no longer. */
    record Ignore(boolean byUser, String name, boolean add) implements Control {}

    record Prune(Instant endedBefore) implements Control {}
  }
}
