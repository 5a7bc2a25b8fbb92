package gflow.daemon.core;

import gflow.job.AttemptId;
import gflow.job.GpuUse;
import gflow.job.TaskEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What running attempts were seen to do with their GPUs. Lost with the daemon: the next one begins
 * anew, and what is kept at the end is what it has seen.
 */
public final class GpuUseBook {
  /** For so long a job may prepare its work before people hear that it leaves a GPU idle. */
  private static final Duration IDLE = Duration.ofMinutes(5);

  private static final String NO_STEP = "no step and no GPU use since ";

  private final SortedMap<AttemptId, Page> pages = new TreeMap<>();

  /**
   * One look at the GPUs of an attempt. {@code present}: a process of it is there; {@code use}: of
   * the GPUs, in percent of the time; {@code steps}: whether it has had some, and {@code stepRuns}
   * one now; {@code wrong}: that it uses more than it may, or no MPS where it should.
   */
  public record Seen(
      boolean present,
      OptionalInt use,
      long memory,
      boolean steps,
      boolean stepRuns,
      Optional<String> wrong) {}

  private record Page(Seen last, Instant onGpu, Instant inStep, Sums sums) {}

  private record Sums(int looks, int usesSeen, long use, int peakUse, double memory, long peak) {
    static final Sums NONE = new Sums(0, 0, 0, 0, 0, 0);

    Sums with(Seen seen) {
      boolean known = seen.use().isPresent();
      return new Sums(
          looks + 1,
          usesSeen + (known ? 1 : 0),
          use + seen.use().orElse(0),
          Math.max(peakUse, seen.use().orElse(0)),
          memory + seen.memory(),
          Math.max(peak, seen.memory()));
    }

    GpuUse total() {
      return new GpuUse(
          looks,
          usesSeen == 0 ? OptionalInt.empty() : OptionalInt.of((int) (use / usesSeen)),
          usesSeen == 0 ? OptionalInt.empty() : OptionalInt.of(peakUse),
          (long) (memory / looks),
          peak);
    }
  }

  public void see(AttemptId id, Seen seen, Instant now) {
    Page old = pages.getOrDefault(id, new Page(seen, now, now, Sums.NONE));
    pages.put(
        id,
        new Page(
            seen,
            seen.present() ? now : old.onGpu(),
            seen.stepRuns() ? now : old.inStep(),
            old.sums().with(seen)));
  }

  public Optional<GpuUse> of(AttemptId id) {
    return Optional.ofNullable(pages.get(id)).map(page -> page.sums().total());
  }

  /** The same news, of an end with what was seen of the attempt until then. */
  TaskEvent told(AttemptId id, TaskEvent event) {
    return event instanceof TaskEvent.ProgramEnded(var exit, boolean whole)
        ? new TaskEvent.ProgramEnded(exit.with(of(id)), whole)
        : event;
  }

  /** What people should know of it; {@code time}: how they read times. */
  public Optional<String> notice(AttemptId id, Instant now, Function<Instant, String> time) {
    return Optional.ofNullable(pages.get(id))
        .flatMap(page -> page.last().wrong().or(() -> idle(page, now, time)));
  }

  private static Optional<String> idle(Page page, Instant now, Function<Instant, String> time) {
    Seen last = page.last();
    boolean waits = last.steps() && !last.stepRuns();
    Instant since = waits && page.inStep().isAfter(page.onGpu()) ? page.inStep() : page.onGpu();
    return last.present() || since.plus(IDLE).isAfter(now)
        ? Optional.empty()
        : Optional.of((waits ? NO_STEP : "no GPU use since ") + time.apply(since));
  }

  void over(AttemptId id) {
    pages.remove(id);
  }
}
