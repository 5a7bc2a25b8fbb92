package gflow.map.items;

import gflow.process.RawText;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;

/**
 * One thing to work on: its place in the list from 0, its values (one, or one of each source), and
 * what a row of a table calls its columns. The strings are {@link RawText}.
 */
public record Item(int index, List<String> values, SequencedMap<String, String> columns) {
  public Item {
    values = List.copyOf(values);
    columns = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(columns));
  }

  public static Item of(int index, String value) {
    return new Item(index, List.of(value), new LinkedHashMap<>());
  }

  /** What people call it. */
  public String text() {
    return String.join(" ", values);
  }
}
