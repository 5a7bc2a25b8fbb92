package gflow.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What an attempt's GPUs did over time, by their numbers, in at most so many points for each: when
 * its time is too long for them, two become one, and each stands for twice as many seconds.
 */
public record GpuCurve(int seconds, SortedMap<Integer, List<Stretch>> gpus) {
  public static final GpuCurve NONE = new GpuCurve(1, Collections.emptySortedMap());

  private static final int MOST = 240;

  public GpuCurve {
    gpus = Collections.unmodifiableSortedMap(new TreeMap<>(gpus));
  }

  /**
   * The so-manieth stretch of time since the attempt began: the sum of the percents of as many
   * looks as saw the GPU's use, and the most of its memory that the attempt had.
   */
  public record Stretch(int number, int looks, int percents, long memory) {
    public OptionalInt use() {
      return looks == 0 ? OptionalInt.empty() : OptionalInt.of(percents / looks);
    }

    private Stretch numbered(int other) {
      return new Stretch(other, looks, percents, memory);
    }

    private Stretch and(Stretch o) {
      return new Stretch(
          number, looks + o.looks, percents + o.percents, Math.max(memory, o.memory));
    }
  }

  /** With a look at one of them, when the attempt was so old. */
  public GpuCurve with(Duration age, int gpu, OptionalInt use, long memory) {
    long second = Math.max(0, age.toSeconds());
    return second / seconds >= MOST
        ? coarser().with(age, gpu, use, memory)
        : with(
            gpu,
            new Stretch((int) second / seconds, use.isPresent() ? 1 : 0, use.orElse(0), memory));
  }

  private GpuCurve with(int gpu, Stretch seen) {
    var all = new TreeMap<>(gpus);
    var points = new ArrayList<>(all.getOrDefault(gpu, List.of()));
    points.add(seen);
    all.put(gpu, joined(points));
    return new GpuCurve(seconds, all);
  }

  private GpuCurve coarser() {
    var all = new TreeMap<>(gpus);
    all.replaceAll(
        (_, points) -> joined(points.stream().map(p -> p.numbered(p.number / 2)).toList()));
    return new GpuCurve(seconds * 2, all);
  }

  /** What is of one stretch is one; nothing is before what was seen before it. */
  private static List<Stretch> joined(List<Stretch> points) {
    var joined = new ArrayList<Stretch>();
    for (Stretch point : points) {
      if (!joined.isEmpty() && point.number <= joined.getLast().number) {
        joined.add(joined.removeLast().and(point));
      } else {
        joined.add(point);
      }
    }
    return List.copyOf(joined);
  }
}
