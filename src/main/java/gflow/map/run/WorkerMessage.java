package gflow.map.run;

import gflow.json.BadJson;
import gflow.json.Json;
import gflow.map.items.Item;
import gflow.map.items.LineAssembler;
import gflow.map.results.ItemOutcome;
import gflow.map.results.Result;
import gflow.map.results.Try;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The lines of the worker protocol. */
sealed interface WorkerMessage {
  Pattern START = Pattern.compile("\\{\\s*\"index\"\\s*:\\s*(\\d{1,9})\\b");

  record Ready() implements WorkerMessage {}

  record Answer(int index, ItemOutcome outcome) implements WorkerMessage {}

  /** What is no answer, and goes to the log. */
  record Noise() implements WorkerMessage {}

  static WorkerMessage parse(String line) {
    // Somebody may have printed without a line end before it.
    int at = line.startsWith("{") ? 0 : line.indexOf("{\"index\"");
    if (at < 0) {
      return new Noise();
    }
    String text = line.substring(at);
    try {
      return Json.parse(text) instanceof Map<?, ?> tree ? of(tree) : new Noise();
    } catch (BadJson e) {
      boolean cut = text.endsWith(LineAssembler.CUT);
      return broken(text, cut ? "is longer than 16 MB" : "is no JSON: " + e.getMessage());
    }
  }

  /** An item whose answer cannot be read must not wait for another one. */
  private static WorkerMessage broken(String text, String why) {
    Matcher start = START.matcher(text);
    return start.lookingAt()
        ? new Answer(
            Integer.parseInt(start.group(1)), new ItemOutcome.Failed("the worker's answer " + why))
        : new Noise();
  }

  private static WorkerMessage of(Map<?, ?> tree) {
    if (Boolean.TRUE.equals(tree.get("ready"))) {
      return new Ready();
    }
    if (!(tree.get("index") instanceof Long index) || index < 0 || index > Integer.MAX_VALUE) {
      return new Noise();
    }
    if (tree.containsKey("value")) {
      return new Answer(index.intValue(), new ItemOutcome.Value(tree.get("value")));
    }
    if (!tree.containsKey("error")) {
      return broken("{\"index\":" + index, "has neither value nor error");
    }
    Object error = tree.get("error");
    String trace = tree.get("traceback") instanceof String text ? "\n" + text : "";
    return new Answer(
        index.intValue(),
        new ItemOutcome.Failed((error instanceof String text ? text : Json.text(error)) + trace));
  }

  /** What a worker is told of a try. */
  static String of(Try work) {
    var line = new LinkedHashMap<String, @Nullable Object>();
    Item item = work.item();
    line.put("index", item.index());
    line.put("item", item.columns().isEmpty() ? Result.shown(item) : item.columns());
    line.put("attempt", work.number());
    return Json.text(line);
  }
}
