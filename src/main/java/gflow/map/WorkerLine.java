package gflow.map;

import gflow.json.BadJson;
import gflow.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The lines of the worker protocol. */
sealed interface WorkerLine {
  Pattern START = Pattern.compile("\\{\\s*\"index\"\\s*:\\s*(\\d{1,9})\\b");

  record Ready() implements WorkerLine {}

  record Answer(int index, Outcome outcome) implements WorkerLine {}

  /** What is no answer, and goes to the log. */
  record Noise() implements WorkerLine {}

  static WorkerLine parse(String line) {
    // Somebody may have printed without a line end before it.
    int at = line.startsWith("{") ? 0 : line.indexOf("{\"index\"");
    if (at < 0) {
      return new Noise();
    }
    String text = line.substring(at);
    try {
      return Json.parse(text) instanceof Map<?, ?> tree ? of(tree) : new Noise();
    } catch (BadJson e) {
      boolean cut = text.endsWith(SaidLines.CUT);
      return broken(text, cut ? "is longer than 16 MB" : "is no JSON: " + e.getMessage());
    }
  }

  /** An item whose answer cannot be read must not wait for another one. */
  private static WorkerLine broken(String text, String why) {
    Matcher start = START.matcher(text);
    return start.lookingAt()
        ? new Answer(
            Integer.parseInt(start.group(1)), new Outcome.Refused("the worker's answer " + why))
        : new Noise();
  }

  private static WorkerLine of(Map<?, ?> tree) {
    if (Boolean.TRUE.equals(tree.get("ready"))) {
      return new Ready();
    }
    if (!(tree.get("index") instanceof Long index) || index < 0 || index > Integer.MAX_VALUE) {
      return new Noise();
    }
    if (tree.containsKey("value")) {
      return new Answer(index.intValue(), new Outcome.Value(tree.get("value")));
    }
    if (!tree.containsKey("error")) {
      return broken("{\"index\":" + index, "has neither value nor error");
    }
    Object error = tree.get("error");
    String trace = tree.get("traceback") instanceof String text ? "\n" + text : "";
    return new Answer(
        index.intValue(),
        new Outcome.Refused((error instanceof String text ? text : Json.text(error)) + trace));
  }

  /** What a worker is told of a try. */
  static String of(Try work) {
    var line = new LinkedHashMap<String, @Nullable Object>();
    line.put("index", work.item().index());
    line.put("item", work.item().columns().isEmpty() ? Result.shown(work.item()) : row(work));
    line.put("attempt", work.number());
    return Json.text(line);
  }

  private static Object row(Try work) {
    return work.item().columns();
  }
}
