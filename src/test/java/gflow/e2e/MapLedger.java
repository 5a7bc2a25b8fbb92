package gflow.e2e;

import gflow.json.BadJson;
import gflow.json.Json;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the items of a map wrote when they began, beside the lines of its results: looked at now and
 * then, and at the end. Needs nothing but a Java run-time, as it is also run without the tests.
 */
final class MapLedger {
  private final Path folder;
  private final boolean worker;
  private final List<String> items;

  /** How often each had begun when its line was first seen. */
  private final SortedMap<String, Integer> begunWhenDone = new TreeMap<>();

  private int itemsKilled;
  private boolean disturbed;

  /** {@code folder}: has {@code ledger}, and the results in {@code r}. */
  MapLedger(Path folder, boolean worker, List<String> items) {
    this.folder = folder;
    this.worker = worker;
    this.items = items;
  }

  /** One more may have failed by a signal. */
  void itemKilled() {
    itemsKilled++;
  }

  /** Something of the map was killed: what ran may have to run again. */
  void disturbed() {
    disturbed = true;
  }

  // ---- what is there ----

  /** Only whole ones count. */
  List<String> lines() {
    String text = Lab.read(folder.resolve("r/results.jsonl"));
    return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
  }

  private SortedMap<String, Integer> begun() {
    var counts = new TreeMap<String, Integer>();
    Lab.read(folder.resolve("ledger")).lines().forEach(item -> counts.merge(item, 1, Integer::sum));
    return counts;
  }

  private static Map<?, ?> parse(String line) {
    try {
      return (Map<?, ?>) Json.parse(line);
    } catch (BadJson e) {
      throw new AssertionError("no JSON: " + line, e);
    }
  }

  /** After a kill, or at any other time: what has its line now must never begin again. */
  void look() {
    List<String> lines = lines();
    SortedMap<String, Integer> begun = begun();
    for (String line : lines) {
      String item = (String) parse(line).get("item");
      begunWhenDone.putIfAbsent(item, begun.getOrDefault(item, 0));
    }
  }

  // ---- what must be ----

  void check(int code) {
    look();
    var wrong = new ArrayList<String>();
    int failed = checkLines(wrong);
    checkFiles(wrong, failed);
    if (code != (failed == 0 ? 0 : 1)) {
      wrong.add("the exit code is " + code + " where " + failed + " failed");
    }
    checkBegun(wrong);
    if (!wrong.isEmpty()) {
      throw new AssertionError(String.join("\n", wrong));
    }
  }

  /** Returns how many failed. */
  private int checkLines(List<String> wrong) {
    if (!Lab.read(folder.resolve("r/results.jsonl")).endsWith("\n")) {
      wrong.add("the last line of results.jsonl has no end");
    }
    var there = new TreeSet<Long>();
    int failed = 0;
    int signalled = 0;
    for (String text : lines()) {
      Map<?, ?> line = parse(text);
      long index = (Long) line.get("index");
      boolean ok = "ok".equals(line.get("status"));
      boolean killed = !ok && String.valueOf(line.get("cause")).contains("signal 9");
      failed += ok ? 0 : 1;
      signalled += killed ? 1 : 0;
      if (!there.add(index)) {
        wrong.add("item " + index + " has a second line: " + text);
      }
      boolean right = items.get((int) index).equals(line.get("item")) && (killed || went(line, ok));
      if (!right) {
        wrong.add("item " + index + " is " + items.get((int) index) + ", but " + text);
      }
    }
    if (there.size() != items.size()) {
      wrong.add("%d of %d items have a line".formatted(there.size(), items.size()));
    }
    if (signalled > itemsKilled) {
      wrong.add("%d failed by a signal, %d were killed".formatted(signalled, itemsKilled));
    }
    return failed;
  }

  private boolean went(Map<?, ?> line, boolean ok) {
    String item = (String) line.get("item");
    if (KilledItems.kind(item).equals(KilledItems.BAD)) {
      return !ok && List.of("exit code 3", "no good").contains(line.get("cause"));
    }
    return ok
        && ("did " + item).equals(String.valueOf(line.get(worker ? "value" : "stdout")).strip());
  }

  private void checkFiles(List<String> wrong, int failed) {
    List<String> listed = Lab.read(folder.resolve("r/failed.txt")).lines().toList();
    List<String> inLines =
        lines().stream()
            .map(MapLedger::parse)
            .filter(line -> "failed".equals(line.get("status")))
            .map(line -> (String) line.get("item"))
            .toList();
    if (!listed.equals(inLines)) {
      wrong.add("failed.txt has " + listed + ", the lines have " + inLines);
    }
    Map<?, ?> summary = parse(Lab.read(folder.resolve("r/summary.json")));
    List<Object> want = List.of((long) items.size(), (long) items.size() - failed, (long) failed);
    List<Object> have = List.of(summary.get("items"), summary.get("ok"), summary.get("failed"));
    if (!have.equals(want)) {
      wrong.add("summary.json has " + have + ", the lines have " + want);
    }
  }

  private void checkBegun(List<String> wrong) {
    SortedMap<String, Integer> begun = begun();
    begunWhenDone.forEach(
        (item, then) -> {
          if (!then.equals(begun.getOrDefault(item, 0))) {
            wrong.add(item + " began again, though it had its line");
          }
        });
    if (!disturbed && begun.values().stream().anyMatch(times -> times > 1)) {
      wrong.add("only the daemon was killed, and items ran again: " + begun);
    }
  }
}
