package gflow.map.results;

import gflow.json.BadJson;
import gflow.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The lines of {@code results.jsonl}, read one by one: there may be a million. */
public final class ResultLines {
  private ResultLines() {}

  /** One line, as far as people ask for it. */
  public record Line(Map<?, ?> all) {
    public boolean failed() {
      return Result.FAILED.equals(all.get("status"));
    }

    public long index() {
      return all.get("index") instanceof Long index ? index : -1;
    }

    /** What people call the item. */
    public String item() {
      return all.get("item") instanceof List<?> values
          ? String.join(" ", values.stream().map(String::valueOf).toList())
          : text("item");
    }

    /** Empty if it is not there. */
    public String text(String name) {
      @Nullable Object value = all.get(name);
      return value == null ? "" : value.toString();
    }

    /** The line itself. */
    public String json() {
      return Json.text(all);
    }

    public Map<String, String> columns() {
      return fields(all.get("columns"));
    }

    /** The fields of a worker's answer, or of an object that is all, or the last, it printed. */
    public Map<String, String> values() {
      if (all.containsKey("value")) {
        return fields(all.get("value"));
      }
      String said = value();
      Map<String, String> whole = printed(said);
      return whole.isEmpty() ? printed(said.substring(said.lastIndexOf('\n') + 1)) : whole;
    }

    /** What {@link #values} does not say. */
    public String rest() {
      boolean said = all.containsKey("value") ? !values().isEmpty() : !printed(value()).isEmpty();
      return said ? "" : value();
    }

    private static Map<String, String> printed(String text) {
      try {
        return text.startsWith("{") ? fields(Json.parse(text)) : Map.of();
      } catch (BadJson e) {
        return Map.of();
      }
    }

    /** The fields of one that is an object, as texts; none if it is not. */
    private static Map<String, String> fields(@Nullable Object tree) {
      var fields = new LinkedHashMap<String, String>();
      if (tree instanceof Map<?, ?> object) {
        object.forEach(
            (field, value) ->
                fields.put(
                    field.toString(), value instanceof String text ? text : Json.text(value)));
      }
      return fields;
    }

    /** The value of a worker, or what the program printed. */
    public String value() {
      return all.containsKey("value") ? Json.text(all.get("value")) : text("stdout").strip();
    }
  }

  /** How long the file is without a line that was cut off: who goes on takes that away. */
  public static long length(Path results) throws IOException {
    if (!Files.exists(results)) {
      return 0;
    }
    try (var file = FileChannel.open(results)) {
      return ResultFile.wholeLines(file);
    }
  }

  public static void forEach(Path results, Consumer<Line> take) throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(results)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        parse(line, take);
      }
    }
  }

  /** Seen without reading it as JSON: one of thousands each second where items are short. */
  static boolean isSilent(String line) {
    return line.contains("\"status\":\"ok\"")
        && !line.contains("\"stdout\":")
        && !line.contains("\"stderr\":")
        && !line.contains("\"value\":");
  }

  /** The last line of a run that goes on may be there only in part. */
  static void parse(String line, Consumer<Line> take) {
    try {
      if (Json.parse(line) instanceof Map<?, ?> all) {
        take.accept(new Line(all));
      }
    } catch (BadJson e) {
      // It is read when it is whole.
    }
  }
}
