package gflow.daemon.service;

import gflow.job.JobId;
import gflow.job.StepId;
import gflow.job.TaskId;
import gflow.store.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.UUID;

/**
 * What has changed lately, by number: only which things, because who asks is told how they are by
 * then. So many are kept; who knows only older numbers, or those of another life of the daemon,
 * starts anew. For any thread.
 */
public final class ChangeRing implements AutoCloseable {
  /** A thing that is told anew when it has changed. */
  public sealed interface Thing {
    /** All of a job that is not over. */
    record Unfinished(JobId job) implements Thing {}

    record Ended(TaskId task) implements Thing {}

    record OneStep(StepId id) implements Thing {}

    record Machine() implements Thing {}

    record OpenProblems() implements Thing {}
  }

  record Entry(long number, Instant at, Thing thing) {}

  private final String epoch = UUID.randomUUID().toString();
  private final Deque<Entry> kept = new ArrayDeque<>();
  private final int most;
  private long number;
  private boolean closed;

  public ChangeRing(int most) {
    this.most = most;
  }

  String epoch() {
    return epoch;
  }

  synchronized long number() {
    return number;
  }

  /** These changes are committed. */
  public void committed(List<Change> changes, Instant at) {
    var things = new LinkedHashSet<Thing>();
    changes.forEach(change -> things.addAll(things(change)));
    changed(things, at);
    if (changes.stream().anyMatch(change -> change instanceof Change.ClockSet)) {
      forget();
    }
  }

  public synchronized void changed(Collection<Thing> things, Instant at) {
    for (Thing thing : things) {
      kept.add(new Entry(++number, at, thing));
      if (kept.size() > most) {
        kept.removeFirst();
      }
    }
    notifyAll();
  }

  /** All that runs has other times now: everybody starts anew. */
  private synchronized void forget() {
    kept.clear();
    number++;
    notifyAll();
  }

  private static List<Thing> things(Change change) {
    return switch (change) {
      case Change.PutBlob _, Change.Answered _, Change.ClockSet _, Change.GpusSeen _ -> List.of();
      case Change.Submit(var job) -> List.of(new Thing.Unfinished(job.id()));
      case Change.Progress(var job) -> List.of(new Thing.Unfinished(job.id()));
      case Change.Respec(var job) -> List.of(new Thing.Unfinished(job.id()));
      case Change.AttemptStarted(var id, _) -> held(id.task());
      case Change.AttemptMoved(var id, _) -> held(id.task());
      case Change.AttemptEnding(var id, _, _) -> held(id.task());
      case Change.AttemptUndone(var id) -> held(id.task());
      case Change.AttemptEnded(var id, _, _) ->
          List.of(
              new Thing.Unfinished(id.task().job()),
              new Thing.Ended(id.task()),
              new Thing.Machine());
      case Change.StepStarted(var step) -> List.of(new Thing.OneStep(step.id()));
      case Change.StepEnding(var id, _) -> List.of(new Thing.OneStep(id));
      case Change.StepEnded(var id, _) -> List.of(new Thing.OneStep(id));
      case Change.Lent(var id, _) -> held(id.task());
      case Change.GivenBack(var id, _, _) -> held(id.task());
      case Change.Setting _ -> List.of(new Thing.Machine());
    };
  }

  private static List<Thing> held(TaskId task) {
    return List.of(new Thing.Unfinished(task.job()), new Thing.Machine());
  }

  /** Whether everything after that number is still known. */
  synchronized boolean keeps(String life, long after) {
    return life.equals(epoch) && after <= number && after >= number - kept.size();
  }

  /** What came after that number, some of it at most, the oldest first. */
  synchronized List<Entry> after(long after, int some) {
    return kept.stream().filter(entry -> entry.number() > after).limit(some).toList();
  }

  /**
   * Returns when there is something after that number, or time is up; false if nothing will come.
   */
  synchronized boolean await(long after, Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    for (long left = patience.toMillis(); left > 0 && number <= after && !closed; ) {
      wait(left);
      left = (end - System.nanoTime()) / 1_000_000;
    }
    return !closed;
  }

  @Override
  public synchronized void close() {
    closed = true;
    notifyAll();
  }
}
