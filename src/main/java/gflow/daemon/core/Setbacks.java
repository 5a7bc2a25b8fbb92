package gflow.daemon.core;

import gflow.job.JobId;
import gflow.job.TaskEvent;
import gflow.job.TaskId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Jobs that the machine could not start: no descriptor was left, the disk was full. Each waits a
 * while before it is tried again, and longer each time. If several fail one after the other it is
 * the machine, and all wait, so that a hundred thousand are not tried in turn. A restart forgets
 * this, and tries at once.
 */
public final class Setbacks {
  private static final int MANY = 3;
  private static final Duration FIRST = Duration.ofMillis(100);
  private static final Duration LONGEST = Duration.ofMinutes(1);
  private static final Duration LONGEST_FOR_ALL = Duration.ofSeconds(15);

  private final TreeMap<JobId, Setback> jobs = new TreeMap<>();
  private final TreeSet<JobId> inARow = new TreeSet<>();
  private int pauses;
  private Instant resume = Instant.MIN;
  private String lastWhy = "";

  /** {@code waits}: it has not been started since. */
  private record Setback(int count, Instant until, String why, boolean waits) {}

  /** What the machine could not do is tried again later, and what it did ends such waits. */
  void heard(TaskId task, TaskEvent event, Instant now, Timers timers) {
    switch (event) {
      case TaskEvent.NeverRan(var blame, String why, var _) when blame == TaskEvent.Blame.WORLD ->
          failed(task.job(), why, now).forEach(at -> timers.set(at, Timers.Kind.LOOK_AGAIN, task));
      case TaskEvent.Spawned _ -> spawned(task.job());
      case TaskEvent.ProgramEnded _ -> ran(task.job());
      default -> {}
    }
  }

  /** It could not be started; returns when to look again. */
  public List<Instant> failed(JobId id, String why, Instant now) {
    Setback before = jobs.get(id);
    int count = before == null ? 0 : before.count();
    var setback = new Setback(count + 1, now.plus(pause(count, LONGEST)), why, true);
    jobs.put(id, setback);
    inARow.add(id);
    lastWhy = why;
    if (inARow.size() >= MANY && !paused(now)) {
      resume = now.plus(pause(pauses++, LONGEST_FOR_ALL));
    }
    return List.of(setback.until(), resume.isAfter(now) ? resume : setback.until());
  }

  private static Duration pause(int before, Duration longest) {
    Duration pause = FIRST.multipliedBy(1L << Math.min(before, 20));
    return pause.compareTo(longest) < 0 ? pause : longest;
  }

  /** Its process exists; whether its program will run is not known yet. */
  void spawned(JobId id) {
    pauses = 0;
    jobs.computeIfPresent(id, (_, s) -> new Setback(s.count(), s.until(), s.why(), false));
  }

  /** A program of it has run. */
  void ran(JobId id) {
    inARow.clear();
    forget(id);
  }

  void forget(JobId id) {
    jobs.remove(id);
  }

  /** Not before then, if that is still to come. */
  Optional<Instant> until(JobId id, Instant now) {
    return Optional.ofNullable(jobs.get(id)).map(Setback::until).filter(at -> at.isAfter(now));
  }

  /** Whether nothing is tried just now. */
  boolean paused(Instant now) {
    return resume.isAfter(now);
  }

  /** Why this job does not start, if that is the machine's fault. */
  public Optional<String> why(JobId id, Instant now) {
    Setback setback = jobs.get(id);
    if (setback != null && (setback.waits() || setback.until().isAfter(now))) {
      return Optional.of(setback.why());
    }
    return paused(now) ? Optional.of(lastWhy) : Optional.empty();
  }

  /** For people, a line at most. */
  public Optional<String> problem() {
    List<Map.Entry<JobId, Setback>> waiting =
        jobs.entrySet().stream().filter(e -> e.getValue().waits()).toList();
    if (waiting.isEmpty()) {
      return Optional.empty();
    }
    var first = waiting.getFirst();
    String others = waiting.size() == 1 ? "" : " (and " + (waiting.size() - 1) + " more)";
    return Optional.of(
        "job "
            + first.getKey()
            + others
            + " could not be started and waits: "
            + first.getValue().why());
  }
}
