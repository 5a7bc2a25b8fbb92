package gflow.cli;

import gflow.json.BadJson;
import gflow.json.Json;
import gflow.map.Follower;
import gflow.map.MapFolder;
import gflow.map.MapPlan;
import gflow.map.ResultLines;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What a person sees of a map that runs: what the items print, on stdout, and how far it is, on
 * stderr: on a terminal in one line that changes, otherwise in a line now and then.
 */
final class MapView {
  private static final Duration BETWEEN_LINES = Duration.ofSeconds(10);
  private static final Duration SILENCE = Duration.ofSeconds(3);
  private static final String CLEAR = "\r\033[K";
  private static final int BAR = 8;

  private final Call call;
  private final MapFolder folder;
  private final MapPlan plan;
  private final Follower follower;
  private final boolean quiet;
  private final boolean alive;
  private Instant said;
  private Instant heard;
  private boolean shown;

  /** {@code from}: the length of the results that were there before. */
  MapView(Call call, MapFolder folder, MapPlan plan, long from, boolean quiet) {
    this.call = call;
    this.folder = folder;
    this.plan = plan;
    this.quiet = quiet;
    follower = new Follower(folder, plan.output().inOrder(), from);
    alive = call.invocation().terminal().stderrIsTerminal();
    said = call.now();
    heard = said;
  }

  /** False if nobody reads any more. */
  boolean look() throws IOException {
    follower.read(this::item);
    if (!quiet && (alive || !call.now().isBefore(said.plus(BETWEEN_LINES)))) {
      said = call.now();
      progress();
    }
    return call.output().flush();
  }

  /** Whether nobody says how far it is, though that is done every second: from time to time. */
  boolean hearsNothing() throws IOException {
    if (call.now().isBefore(heard.plus(SILENCE))) {
      return false;
    }
    heard = call.now();
    return !Files.exists(folder.progress())
        || Files.getLastModifiedTime(folder.progress())
            .toInstant()
            .isBefore(call.now().minus(SILENCE));
  }

  void end() throws IOException {
    follower.end(this::item);
    clear();
    call.output().flush();
  }

  private void clear() {
    if (shown) {
      call.output().err(CLEAR);
      shown = false;
    }
  }

  // ---- items ----

  private void item(ResultLines.Line line) {
    clear();
    call.output().out(tagged(line, text(line)));
    call.output().err(tagged(line, line.text("stderr")));
    if (line.failed()) {
      call.problem("item %d (%s) failed: %s".formatted(line.index(), line.item(), cause(line)));
    }
  }

  private static String cause(ResultLines.Line line) {
    return line.text("cause").lines().findFirst().orElse("");
  }

  private static String text(ResultLines.Line line) {
    return line.all().containsKey("value") ? line.value() + "\n" : line.text("stdout");
  }

  private String tagged(ResultLines.Line line, String text) {
    return plan.output().tag()
        ? text.lines().map(one -> line.item() + "\t" + one + "\n").collect(Collectors.joining())
        : text;
  }

  // ---- how far it is ----

  private void progress() {
    try {
      if (Files.exists(folder.progress())
          && Json.parse(Files.readString(folder.progress())) instanceof Map<?, ?> now) {
        String line = line(now);
        if (alive) {
          call.output().err(CLEAR + cut(line + bars(now)));
          shown = true;
        } else {
          call.problem(line);
        }
      }
    } catch (IOException | BadJson e) {
      // It is written anew every second.
    }
  }

  private String cut(String line) {
    int columns = call.invocation().terminal().columns();
    return columns > 0 && line.length() >= columns ? line.substring(0, columns - 1) : line;
  }

  /** {@code 812/2000 done, 3 failed, 8 running, 41.2 items/s, 0:29 left}. */
  static String line(Map<?, ?> now) {
    long total = number(now, "items");
    long failed = number(now, "failed");
    long done = number(now, "ok") + failed;
    double rate = now.get("items_per_second") instanceof Double d ? d : 0;
    String left =
        rate > 0 && done < total
            ? ", " + JobText.span((long) Math.ceil((total - done) / rate)) + " left"
            : "";
    return "%d/%d done%s, %d running, %s items/s%s"
        .formatted(
            done,
            total,
            failed == 0 ? "" : ", " + failed + " failed",
            number(now, "running"),
            String.format(Locale.ROOT, rate < 100 ? "%.1f" : "%.0f", rate),
            left);
  }

  private static long number(Map<?, ?> now, String name) {
    return now.get(name) instanceof Long number ? number : 0;
  }

  /** One for each card: how much of the time it had work. */
  private static String bars(Map<?, ?> now) {
    var text = new StringBuilder();
    if (now.get("gpus") instanceof List<?> cards) {
      for (Object one : cards) {
        if (one instanceof Map<?, ?> card && card.get("gpu") instanceof String gpu) {
          double used = card.get("utilisation") instanceof Double d ? Math.min(1, d) : 0;
          int full = (int) Math.round(used * BAR);
          text.append("  ").append(gpu).append(' ');
          text.repeat("█", full).repeat("░", BAR - full);
        }
      }
    }
    return text.toString();
  }
}
