package gflow.cli.map;

import gflow.cli.frame.Call;
import gflow.cli.frame.JobText;
import gflow.cli.frame.Refused;
import gflow.cli.frame.Table;
import gflow.json.BadJson;
import gflow.json.RecordJson;
import gflow.map.plan.ShownWords;
import gflow.map.results.MapFolder;
import gflow.map.results.MapProgress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a map came to: on stderr for people, on stdout in JSON. */
final class MapSummary {
  /** From here on a time is shown as minutes and hours. */
  private static final double MINUTES = 100;

  private MapSummary() {}

  /** {@code over}: no run of it goes on. */
  static void say(Call call, MapFolder folder, boolean json, boolean over) throws Refused {
    // One that was killed has no summary; then this is how far it was.
    boolean whole = Files.exists(folder.summary());
    Path file = whole ? folder.summary() : folder.progress();
    Optional<MapProgress> summary;
    try {
      summary = MapProgress.read(file);
    } catch (IOException | BadJson e) {
      throw new Refused("cannot read " + file + ": " + e.getMessage());
    }
    if (json) {
      call.json(withFolder(summary, folder));
      return;
    }
    summary.ifPresent(map -> call.output().err(text(map, folder)));
    boolean open = whole ? summary.filter(map -> map.done() < map.items()).isPresent() : over;
    if (open) {
      call.problem("not all is done; gmap --resume --results " + shown(folder) + " goes on");
    }
  }

  private static Map<String, @Nullable Object> withFolder(
      Optional<MapProgress> summary, MapFolder folder) {
    var all = new LinkedHashMap<String, @Nullable Object>();
    if (RecordJson.tree(summary) instanceof Map<?, ?> tree) {
      tree.forEach((name, value) -> all.put(name.toString(), value));
    }
    all.put("results", folder.path().toString());
    return all;
  }

  private static String shown(MapFolder folder) {
    return ShownWords.of(List.of(folder.path().toString()));
  }

  private static String text(MapProgress map, MapFolder folder) {
    double seconds = map.seconds();
    String head =
        "%d of %d items ok, %d failed; %s, %s items/s, speed-up %s\n"
            .formatted(
                map.ok(),
                map.items(),
                map.failed(),
                seconds < MINUTES ? number(seconds) + " s" : JobText.span(Math.round(seconds)),
                number(map.itemsPerSecond()),
                number(map.speedUp()));
    return head + gpus(map) + "results in " + folder.path() + "\n";
  }

  /** Empty where there was none. */
  private static String gpus(MapProgress map) {
    List<MapProgress.Gpu> gpus = map.gpus().stream().filter(gpu -> gpu.gpu().isPresent()).toList();
    if (gpus.isEmpty()) {
      return "";
    }
    var table = new Table();
    table.texts("GPU", "ITEMS", "BUSY", "UTILISATION");
    for (MapProgress.Gpu gpu : gpus) {
      table.texts(
          gpu.gpu().get(),
          "" + gpu.items(),
          number(gpu.busySeconds()) + " s",
          Math.round(gpu.utilisation() * 100) + "%");
    }
    return table.text(false);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
