package gflow.daemon.core;

import gflow.job.AttemptId;
import gflow.job.GpuCurve;
import gflow.job.GpuUse;
import gflow.job.TaskEvent;
import gflow.store.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What running attempts were seen to do with their GPUs. It is committed with their ends, and every
 * few minutes before: so much of it is lost with a daemon that is killed. Since when a GPU is idle
 * only the memory knows, and the next daemon begins anew with that.
 */
public final class GpuUseBook {
  /** For so long a job may prepare its work before people hear that it leaves a GPU idle. */
  private static final Duration IDLE = Duration.ofMinutes(5);

  private static final String NO_STEP = "no step and no GPU use since ";

  /** So much of a curve may be lost with the daemon; each time costs a commit. */
  private static final Duration KEPT_EVERY = Duration.ofMinutes(5);

  private final SortedMap<AttemptId, Page> pages = new TreeMap<>();
  private final SortedMap<AttemptId, Figures> figures = new TreeMap<>();
  private Instant kept = Instant.EPOCH;

  /**
   * One look at the GPUs of an attempt, when it was so old. {@code present}: a process of it is
   * there; {@code steps}: whether it has had some, and {@code stepRuns} one now; {@code wrong}:
   * that it uses more than it may, or no MPS where it should.
   */
  public record Seen(
      Duration age,
      boolean present,
      List<OnGpu> gpus,
      boolean steps,
      boolean stepRuns,
      Optional<String> wrong) {
    private OptionalInt use() {
      var mean = gpus.stream().flatMapToInt(gpu -> gpu.use().stream()).average();
      return mean.isPresent() ? OptionalInt.of((int) mean.getAsDouble()) : OptionalInt.empty();
    }

    private long memory() {
      return gpus.stream().mapToLong(OnGpu::memory).sum();
    }
  }

  /**
   * How much of the time it was in use, in percent, and how much of its memory is the attempt's.
   */
  public record OnGpu(int gpu, OptionalInt use, long memory) {}

  private record Page(Seen last, Instant onGpu, Instant inStep) {}

  private record Figures(Sums sums, GpuCurve curve) {
    static final Figures NONE = new Figures(Sums.NONE, GpuCurve.NONE);

    Figures with(Seen seen) {
      GpuCurve longer = curve;
      for (OnGpu one : seen.gpus()) {
        longer = longer.with(seen.age(), one.gpu(), one.use(), one.memory());
      }
      return new Figures(sums.with(seen), longer);
    }
  }

  private record Sums(int looks, int usesSeen, long use, int peakUse, double memory, long peak) {
    static final Sums NONE = new Sums(0, 0, 0, 0, 0, 0);

    /** As they were when that was said of them, but for what was rounded. */
    static Sums of(GpuUse use) {
      int known = use.meanUse().isPresent() ? use.looks() : 0;
      return new Sums(
          use.looks(),
          known,
          (long) known * use.meanUse().orElse(0),
          use.peakUse().orElse(0),
          (double) use.looks() * use.meanMemory(),
          use.peakMemory());
    }

    Sums with(Seen seen) {
      OptionalInt now = seen.use();
      return new Sums(
          looks + 1,
          usesSeen + (now.isPresent() ? 1 : 0),
          use + now.orElse(0),
          Math.max(peakUse, now.orElse(0)),
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
    Page old = pages.getOrDefault(id, new Page(seen, now, now));
    pages.put(
        id,
        new Page(seen, seen.present() ? now : old.onGpu(), seen.stepRuns() ? now : old.inStep()));
    figures.put(id, figures.getOrDefault(id, Figures.NONE).with(seen));
  }

  /** At the start of the daemon: what the last one has kept. */
  public void fill(List<Change.GpusSeen> all) {
    all.forEach(one -> figures.put(one.id(), new Figures(Sums.of(one.use()), one.curve())));
  }

  /** All figures, if it is time to keep them. */
  public List<Change> due(Instant now) {
    if (figures.isEmpty() || kept.plus(KEPT_EVERY).isAfter(now)) {
      return List.of();
    }
    kept = now;
    return figures.keySet().stream().flatMap(id -> toKeep(id).stream()).toList();
  }

  Optional<Change> toKeep(AttemptId id) {
    return Optional.ofNullable(figures.get(id))
        .map(one -> new Change.GpusSeen(id, one.sums().total(), one.curve()));
  }

  public Optional<GpuUse> of(AttemptId id) {
    return Optional.ofNullable(figures.get(id)).map(one -> one.sums().total());
  }

  public Optional<GpuCurve> curve(AttemptId id) {
    return Optional.ofNullable(figures.get(id)).map(Figures::curve);
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
    figures.remove(id);
  }
}
