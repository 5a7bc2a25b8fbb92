package gflow.map;

import gflow.json.BadJson;
import gflow.json.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The lines of the worker protocol. */
sealed interface WorkerLine {
  record Ready() implements WorkerLine {}

  record Answer(int index, Outcome outcome) implements WorkerLine {}

  /** What is no answer, and goes to the log. */
  record Noise() implements WorkerLine {}

  static WorkerLine parse(String line) {
    if (!line.startsWith("{")) {
      return new Noise();
    }
    try {
      return Json.parse(line) instanceof Map<?, ?> tree ? of(tree) : new Noise();
    } catch (BadJson e) {
      return new Noise();
    }
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
    if (tree.get("error") instanceof String error) {
      String trace = tree.get("traceback") instanceof String text ? "\n" + text : "";
      return new Answer(index.intValue(), new Outcome.Refused(error + trace));
    }
    return new Noise();
  }

  /** What a worker is told of a try. */
  static String of(Dealer.Try work) {
    var line = new LinkedHashMap<String, @Nullable Object>();
    line.put("index", work.item().index());
    line.put("item", work.item().columns().isEmpty() ? Result.shown(work.item()) : row(work));
    line.put("attempt", work.number());
    return Json.text(line);
  }

  private static Object row(Dealer.Try work) {
    return work.item().columns();
  }
}
