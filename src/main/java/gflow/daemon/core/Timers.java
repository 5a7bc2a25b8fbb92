package gflow.daemon.core;

import gflow.job.TaskId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * What is due when. A timer is only a hint to look: whoever set it checks at that time whether it
 * still matters, so nothing needs to be taken out when plans change.
 */
final class Timers {
  enum Kind {
    /** A job's begin time, delayed dependency, or the end of a rest after a failure. */
    LOOK_AGAIN,
    /** The signal before the time limit. */
    SIGNAL,
    TIME_LIMIT,
    /** A step shall end, or is killed because it did not. */
    STEP,
    KILL
  }

  record Timer(Instant at, Kind kind, TaskId task) {
    /** Not one that an earlier attempt left, whose end would come before the signal of this one. */
    boolean isFor(Optional<Instant> due) {
      return due.isPresent() && !due.get().isAfter(at);
    }
  }

  private static final Comparator<Timer> ORDER =
      Comparator.comparing(Timer::at).thenComparing(Timer::kind).thenComparing(Timer::task);

  private final TreeSet<Timer> timers = new TreeSet<>(ORDER);
  private final List<Timer> taken = new ArrayList<>();

  void set(Instant at, Kind kind, TaskId task) {
    timers.add(new Timer(at, kind, task));
  }

  Optional<Instant> next() {
    return timers.isEmpty() ? Optional.empty() : Optional.of(timers.first().at());
  }

  /** Takes out all that are due. */
  List<Timer> due(Instant now) {
    var due = new ArrayList<Timer>();
    while (!timers.isEmpty() && !timers.first().at().isAfter(now)) {
      due.add(timers.pollFirst());
    }
    taken.addAll(due);
    return due;
  }

  /** What followed from those that were taken out is kept. */
  void settle() {
    taken.clear();
  }

  /** What followed from them could not be kept: they are due again. */
  void putBack() {
    timers.addAll(taken);
    taken.clear();
  }
}
