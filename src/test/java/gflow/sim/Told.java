package gflow.sim;

import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobSpec;
import gflow.job.Ranges;
import gflow.job.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What the users asked for, and what they were told. */
public final class Told {
  /** A task as users name it. */
  private record Task(JobId job, int offset) {
    static Task of(TaskId task) {
      return new Task(task.job(), task.offset());
    }
  }

  private final TreeMap<JobId, Integer> jobs = new TreeMap<>();
  private final TreeMap<JobId, Duration> shortest = new TreeMap<>();
  private final TreeMap<JobId, Instant> limitSetAt = new TreeMap<>();
  private final TreeMap<JobId, Integer> releases = new TreeMap<>();
  private final Set<Task> held = new HashSet<>();
  private final Set<Task> cancelAsked = new HashSet<>();
  private final Set<Task> requeueAsked = new HashSet<>();
  private final Set<Task> cancelled = new HashSet<>();

  /** The newest first. */
  public List<JobId> jobs() {
    return List.copyOf(jobs.descendingKeySet());
  }

  public int tasks(JobId id) {
    return jobs.getOrDefault(id, 0);
  }

  public void submitted(Job job) {
    jobs.put(job.id(), job.spec().tasks().count());
    if (job.spec().terms().hold()) {
      held(job.id(), job.held());
    }
  }

  /** Noted when it is asked for: after a crash nobody knows whether it came through. */
  public void timeLimit(JobId id, JobSpec spec, Instant now) {
    limitSetAt.put(id, now);
    spec.terms().timeLimit().ifPresent(limit -> shortest.merge(id, limit, Told::shorter));
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  /** When its limit was last changed: nobody could hold it to that before. */
  public Instant limitSetAt(JobId id) {
    return limitSetAt.getOrDefault(id, Instant.MIN);
  }

  /** How often its release was asked for. */
  public int releases(JobId id) {
    return releases.getOrDefault(id, 0);
  }

  Optional<Duration> shortestLimit(JobId id) {
    return Optional.ofNullable(shortest.get(id));
  }

  public void held(JobId id, Ranges offsets) {
    offsets.stream().forEach(k -> held.add(new Task(id, k)));
  }

  public void releaseAsked(JobId id, Ranges offsets) {
    releases.merge(id, 1, Integer::sum);
    offsets.stream().forEach(k -> held.remove(new Task(id, k)));
  }

  boolean isHeld(TaskId task) {
    return held.contains(Task.of(task));
  }

  public void cancelAsked(JobId id, Ranges offsets) {
    offsets.stream().forEach(k -> cancelAsked.add(new Task(id, k)));
  }

  public void cancelled(JobId id, Ranges offsets) {
    offsets.stream().forEach(k -> cancelled.add(new Task(id, k)));
  }

  boolean cancelAsked(TaskId task) {
    return cancelAsked.contains(Task.of(task));
  }

  public void requeueAsked(JobId id, Ranges offsets) {
    offsets.stream().forEach(k -> requeueAsked.add(new Task(id, k)));
  }

  boolean requeueAsked(TaskId task) {
    return requeueAsked.contains(Task.of(task));
  }

  boolean isCancelled(TaskId task) {
    return cancelled.contains(Task.of(task));
  }
}
