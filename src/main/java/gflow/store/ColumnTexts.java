package gflow.store;

import gflow.job.Ranges;
import java.time.Instant;
import java.util.ArrayList;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.LongFunction;

/** How times and sets of tasks are written in columns. */
final class ColumnTexts {
  private static final long MICROS = 1_000_000;

  private ColumnTexts() {}

  static long micros(Instant time) {
    return Math.addExact(Math.multiplyExact(time.getEpochSecond(), MICROS), time.getNano() / 1000);
  }

  static Instant instant(long micros) {
    return Instant.ofEpochSecond(
        Math.floorDiv(micros, MICROS), Math.floorMod(micros, MICROS) * 1000);
  }

  /** Reads what {@code Ranges.toString} wrote. */
  static Ranges ranges(String text) {
    if (text.isEmpty()) {
      return Ranges.EMPTY;
    }
    var parts = new ArrayList<Ranges.Range>();
    for (String part : text.split(",", -1)) {
      int dash = part.indexOf('-');
      int first = Integer.parseInt(dash < 0 ? part : part.substring(0, dash));
      parts.add(
          new Ranges.Range(first, dash < 0 ? first : Integer.parseInt(part.substring(dash + 1))));
    }
    return new Ranges(parts);
  }

  /** Task and number of each: {@code 3:2,7:4}. */
  static String numbers(SortedMap<Integer, ? extends Number> byTask) {
    var text = new StringJoiner(",");
    byTask.forEach((offset, number) -> text.add(offset + ":" + number));
    return text.toString();
  }

  static <T> SortedMap<Integer, T> numbers(String text, LongFunction<T> each) {
    var byTask = new TreeMap<Integer, T>();
    for (String pair : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      int colon = pair.indexOf(':');
      byTask.put(
          Integer.valueOf(pair.substring(0, colon)),
          each.apply(Long.parseLong(pair.substring(colon + 1))));
    }
    return byTask;
  }

  static String times(SortedMap<Integer, Instant> byTask) {
    var micros = new TreeMap<Integer, Long>();
    byTask.forEach((offset, at) -> micros.put(offset, micros(at)));
    return numbers(micros);
  }
}
