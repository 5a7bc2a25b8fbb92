package gflow.map.results;

import gflow.json.BadJson;
import gflow.json.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A line of {@code results.jsonl}, as far as people ask for it. */
public record ResultLine(Map<?, ?> all) {
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
              fields.put(field.toString(), value instanceof String text ? text : Json.text(value)));
    }
    return fields;
  }

  /** The value of a worker, or what the program printed. */
  public String value() {
    return all.containsKey("value") ? Json.text(all.get("value")) : text("stdout").strip();
  }

  /** Empty where it is none: the last line of a run that goes on may be there only in part. */
  static Optional<ResultLine> parse(String line) {
    try {
      return Json.parse(line) instanceof Map<?, ?> all
          ? Optional.of(new ResultLine(all))
          : Optional.empty();
    } catch (BadJson e) {
      return Optional.empty();
    }
  }
}
