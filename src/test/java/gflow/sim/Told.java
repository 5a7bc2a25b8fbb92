package gflow.sim;

import gflow.job.Job;
import gflow.job.JobId;
import gflow.job.JobSpec;
import gflow.job.Ranges;
import gflow.job.TaskId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What the users asked for, and what they were told. */
public final class Told {
  private final TreeMap<JobId, Integer> jobs = new TreeMap<>();
  private final TreeMap<JobId, Duration> shortest = new TreeMap<>();
  private final Set<TaskId> held = new TreeSet<>();
  private final Set<TaskId> cancelAsked = new TreeSet<>();
  private final Set<TaskId> requeueAsked = new TreeSet<>();
  private final Set<TaskId> cancelled = new TreeSet<>();

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
  public void timeLimit(JobId id, JobSpec spec) {
    spec.terms().timeLimit().ifPresent(limit -> shortest.merge(id, limit, Told::shorter));
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }

  Optional<Duration> shortestLimit(JobId id) {
    return Optional.ofNullable(shortest.get(id));
  }

  public void held(JobId id, Ranges offsets) {
    offsets.stream().forEach(k -> held.add(new TaskId(id, k)));
  }

  public void releaseAsked(JobId id, Ranges offsets) {
    offsets.stream().forEach(k -> held.remove(new TaskId(id, k)));
  }

  boolean isHeld(TaskId task) {
    return held.contains(task);
  }

  public void cancelAsked(JobId id, Ranges offsets) {
    offsets.stream().forEach(k -> cancelAsked.add(new TaskId(id, k)));
  }

  public void cancelled(JobId id, Ranges offsets) {
    offsets.stream().forEach(k -> cancelled.add(new TaskId(id, k)));
  }

  boolean cancelAsked(TaskId task) {
    return cancelAsked.contains(task);
  }

  public void requeueAsked(JobId id, Ranges offsets) {
    offsets.stream().forEach(k -> requeueAsked.add(new TaskId(id, k)));
  }

  boolean requeueAsked(TaskId task) {
    return requeueAsked.contains(task);
  }

  boolean isCancelled(TaskId task) {
    return cancelled.contains(task);
  }
}
