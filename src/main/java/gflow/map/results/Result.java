package gflow.map.results;

import gflow.json.Json;
import gflow.map.items.Item;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The final word on an item: what stands in its line of {@code results.jsonl}. */
public record Result(
    Try last, String gpu, ItemOutcome outcome, Instant start, Duration took, Said said) {

  /** What it printed; where that was much, the file that has all of it. */
  public record Said(String out, String err, Optional<String> file) {
    public static final Said NOTHING = new Said("", "", Optional.empty());
  }

  static final String OK = "ok";
  static final String FAILED = "failed";

  String status() {
    return outcome.good() ? OK : FAILED;
  }

  /** With its newline. */
  public String line() {
    var line = new LinkedHashMap<String, @Nullable Object>();
    Item item = last.item();
    line.put("index", item.index());
    line.put("item", shown(item));
    if (!item.columns().isEmpty()) {
      line.put("columns", item.columns());
    }
    line.put("status", status());
    switch (outcome) {
      case ItemOutcome.Exited(int code) -> line.put("exit_code", code);
      case ItemOutcome.OutOfGpuMemory(int status, boolean _) -> line.put("exit_code", status);
      case ItemOutcome.Signalled(int signal) -> line.put("signal", signal);
      case ItemOutcome.Value(Object tree) -> line.put("value", tree);
      default -> {}
    }
    if (!outcome.good()) {
      line.put("cause", summary(outcome.cause()));
    }
    line.put("attempts", last.number());
    if (!gpu.isEmpty()) {
      line.put("gpu", gpu);
    }
    line.put("slot", last.slot());
    line.put("start", start.toString());
    long micros = took.toNanos() / 1000;
    line.put("seconds", micros / 1e6);
    put(line, "stdout", said.out());
    put(line, "stderr", said.err());
    said.file().ifPresent(file -> line.put("output_file", file));
    return Json.text(line) + "\n";
  }

  /** One line, the rest is in the log; of what Python says the last one is the error. */
  static String summary(String cause) {
    List<String> lines = cause.lines().filter(line -> !line.isBlank()).toList();
    if (lines.isEmpty()) {
      return cause.strip();
    }
    return (lines.getFirst().startsWith("Traceback ") ? lines.getLast() : lines.getFirst()).strip();
  }

  /** A text, or a list where it has several values. */
  public static Object shown(Item item) {
    return item.values().size() == 1 ? item.values().getFirst() : item.values();
  }

  private static void put(LinkedHashMap<String, @Nullable Object> line, String name, String text) {
    if (!text.isEmpty()) {
      line.put(name, text);
    }
  }
}
