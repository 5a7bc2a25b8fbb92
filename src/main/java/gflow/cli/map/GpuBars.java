package gflow.cli.map;

import gflow.map.results.MapProgress;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/**
 * A bar for each GPU: how much of the time it had work, since it was last asked. All of them are
 * one line, however many there are.
 */
final class GpuBars {
  private static final int WIDEST = 10;
  private static final String HEIGHTS = " ▁▂▃▄▅▆▇█";

  private SequencedMap<String, Double> busy = new LinkedHashMap<>();
  private SequencedMap<String, Double> used = new LinkedHashMap<>();
  private double seconds;

  /** {@code now}: what {@code progress.json} says. */
  void take(MapProgress now) {
    if (now.seconds() <= seconds) {
      return;
    }
    var busyNow = new LinkedHashMap<String, Double>();
    var usedNow = new LinkedHashMap<String, Double>();
    for (MapProgress.Gpu one : now.gpus()) {
      one.gpu()
          .ifPresent(
              gpu -> {
                double more = one.busySeconds() - busy.getOrDefault(gpu, 0.0);
                busyNow.put(gpu, one.busySeconds());
                usedNow.put(gpu, Math.clamp(more / (now.seconds() - seconds), 0.0, 1.0));
              });
    }
    busy = busyNow;
    used = usedNow;
    seconds = now.seconds();
  }

  /** {@code GPU 0 ██████ 1 ███░░░}, in that many columns; empty without GPUs. */
  String text(int columns) {
    if (used.isEmpty()) {
      return "";
    }
    int names = used.keySet().stream().mapToInt(String::length).sum();
    int bar = (columns - "GPU".length() - names) / used.size() - 2;
    var text = new StringBuilder("GPU");
    used.forEach(
        (gpu, part) ->
            text.append(' ').append(gpu).append(bar > 1 ? " " : "").append(bar(part, bar)));
    return text.toString();
  }

  /** Lying, or where there is no room for that, standing. */
  private static String bar(double part, int room) {
    if (room < 2) {
      return "" + HEIGHTS.charAt((int) Math.round(part * (HEIGHTS.length() - 1)));
    }
    int width = Math.min(room, WIDEST);
    int full = (int) Math.round(part * width);
    return "█".repeat(full) + "░".repeat(width - full);
  }
}
