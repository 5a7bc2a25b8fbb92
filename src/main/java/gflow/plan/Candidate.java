package gflow.plan;

import gflow.job.JobId;
import gflow.job.Owner;
import gflow.job.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A job in the queue of which {@code tasks} may start now, as far as holds, begin, dependencies and
 * its own array limit go. {@code ports}: those that its program listens on.
 */
public record Candidate(
    JobId job,
    Owner owner,
    int priority,
    Instant since,
    Request request,
    Optional<Duration> timeLimit,
    Optional<String> project,
    int tasks,
    List<Integer> ports) {
  /** The turns among the jobs of one owner. */
  static final Comparator<Candidate> TURN = Candidate::turn;

  public Candidate(
      JobId job,
      Owner owner,
      int priority,
      Instant since,
      Request request,
      Optional<Duration> timeLimit,
      Optional<String> project,
      int tasks) {
    this(job, owner, priority, since, request, timeLimit, project, tasks, List.of());
  }

  public Candidate {
    ports = List.copyOf(ports);
    if (tasks < 1) {
      throw new IllegalArgumentException("a candidate has a task to start, had " + tasks);
    }
  }

  private static int turn(Candidate one, Candidate other) {
    int byPriority = Integer.compare(other.priority, one.priority);
    if (byPriority != 0) {
      return byPriority;
    }
    int byAge = one.since.compareTo(other.since);
    return byAge != 0 ? byAge : one.job.compareTo(other.job);
  }

  /** Whether the same limits and wants stop both. To compare requests that differ takes longer. */
  @SuppressWarnings("ReferenceEquality")
  boolean isTwinOf(Candidate other) {
    return request == other.request
        && owner.equals(other.owner)
        && project.equals(other.project)
        && ports.equals(other.ports);
  }

  boolean needsGpu() {
    return request.gpus().count() > 0;
  }

  Optional<Instant> endIfStarted(Instant now) {
    return timeLimit.map(now::plus);
  }
}
