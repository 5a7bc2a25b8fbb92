package gflow.cli.map;

import gflow.cli.frame.Call;
import gflow.cli.frame.JobText;
import gflow.cli.frame.LiveLines;
import gflow.cli.frame.LogTail;
import gflow.cli.frame.Refused;
import gflow.cli.frame.Table;
import gflow.cli.frame.UserFiles;
import gflow.json.BadJson;
import gflow.map.plan.MapPlan;
import gflow.map.results.MapFolder;
import gflow.map.results.MapProgress;
import gflow.map.results.ResultFollower;
import gflow.map.results.ResultLine;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a person sees of a map that runs: what the items print, on stdout, and how far it is, on
 * stderr: on a terminal in one line that changes, otherwise in a line now and then.
 */
final class MapView {
  private static final Duration BETWEEN_LINES = Duration.ofSeconds(10);

  /** What came meanwhile is shown together. */
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

  /** How far it is, is said anew that often, though nothing came. */
  private static final Duration TICK = Duration.ofSeconds(1);

  private static final int COLUMNS = 80;

  private final Call call;
  private final MapFolder folder;
  private final MapPlan plan;
  private final ResultFollower follower;
  private final Shown shown;
  private final boolean alive;
  private final LiveLines live;
  private final GpuBars bars = new GpuBars();
  private final LogTail runner;
  private Instant said;

  /** Whether to show what items print, and how far it is. */
  record Shown(boolean items, boolean progress) {}

  /** {@code from}: the length of the results that were there before. */
  MapView(Call call, MapFolder folder, MapPlan plan, long from, Shown shown) throws Refused {
    this.call = call;
    this.folder = folder;
    this.plan = plan;
    this.shown = shown;
    follower = new ResultFollower(folder, plan.output().inOrder(), from);
    alive = call.invocation().terminal().stderrIsTerminal();
    live = new LiveLines(call.output(), alive);
    runner = new LogTail(folder.runnerLog());
    said = call.now();
    try {
      runner.skipToLast(0);
    } catch (IOException e) {
      throw new Refused("cannot read " + folder.runnerLog() + ": " + UserFiles.why(e));
    }
  }

  MapFolder folder() {
    return folder;
  }

  /**
   * Shows what comes until {@code news} is woken; false if nobody reads any more. {@code waiting}:
   * why nothing has begun.
   */
  boolean follow(FolderWatch news, Supplier<Optional<String>> waiting) throws IOException {
    do {
      news.listen();
      if (!look(waiting)) {
        return false;
      }
      news.await(TICK);
    } while (!news.pause(BETWEEN_LOOKS));
    return true;
  }

  private boolean look(Supplier<Optional<String>> waiting) throws IOException {
    follower.read(this::item);
    runnerSays();
    if (shown.progress() && (alive || !call.now().isBefore(said.plus(BETWEEN_LINES)))) {
      said = call.now();
      say(Files.exists(folder.progress()) ? progress() : waiting.get().stream().toList());
    }
    return call.output().flush();
  }

  /** Where the runner is a job of its own, it speaks to a log. */
  private void runnerSays() throws IOException {
    for (var text = runner.next(); text.isPresent(); text = runner.next()) {
      live.before(text.get());
      call.output().err(text.get());
    }
  }

  private void say(List<String> lines) {
    if (lines.isEmpty()) {
      return;
    }
    if (alive) {
      live.show(lines);
    } else {
      call.problem(lines.getFirst());
    }
  }

  void end() throws IOException {
    follower.end(this::item);
    runnerSays();
    runner.close();
    live.clear();
    live.newLine();
    call.output().flush();
  }

  // ---- items ----

  private void item(ResultLine line) {
    if (shown.items()) {
      String out = tagged(line, text(line));
      live.before(out);
      call.output().out(out);
      String err = tagged(line, line.text("stderr"));
      live.before(err);
      call.output().err(err);
    }
    if (line.failed()) {
      live.clear();
      live.newLine();
      String item = Table.Cell.plain(line.item()).text();
      call.problem("item %d (%s) failed: %s".formatted(line.index(), item, line.text("cause")));
    }
  }

  private static String text(ResultLine line) {
    return line.all().containsKey("value") ? line.value() + "\n" : line.text("stdout");
  }

  private String tagged(ResultLine line, String text) {
    return plan.output().tag()
        ? text.lines().map(one -> line.item() + "\t" + one + "\n").collect(Collectors.joining())
        : text;
  }

  // ---- how far it is ----

  private List<String> progress() {
    try {
      return MapProgress.read(folder.progress()).stream().flatMap(this::lines).toList();
    } catch (IOException | BadJson e) {
      // It is written anew every second.
      return List.of();
    }
  }

  private Stream<String> lines(MapProgress now) {
    bars.take(now);
    return Stream.of(line(now), bars.text(columns())).filter(text -> !text.isEmpty());
  }

  private int columns() {
    int columns = call.invocation().terminal().columns();
    return (columns > 0 ? columns : COLUMNS) - 1;
  }

  /** {@code 812/2000 done, 3 failed, 8 running, 41.2 items/s, 0:29 left}. */
  private static String line(MapProgress now) {
    double rate = now.itemsPerSecond();
    int open = now.items() - now.done();
    String left =
        rate > 0 && open > 0 ? ", " + JobText.span((long) Math.ceil(open / rate)) + " left" : "";
    return "%d/%d done%s, %d running, %s items/s%s"
        .formatted(
            now.done(),
            now.items(),
            now.failed() == 0 ? "" : ", " + now.failed() + " failed",
            now.running(),
            String.format(Locale.ROOT, rate < 100 ? "%.1f" : "%.0f", rate),
            left);
  }
}
