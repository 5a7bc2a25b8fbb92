package gflow.cli.map;

import gflow.cli.frame.Call;
import gflow.cli.frame.JobText;
import gflow.cli.frame.Refused;
import gflow.cli.frame.Table;
import gflow.json.BadJson;
import gflow.json.Json;
import gflow.map.plan.ShownWords;
import gflow.map.results.MapFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
    Object tree;
    try {
      tree = Files.exists(file) ? Json.parse(Files.readString(file)) : null;
    } catch (IOException | BadJson e) {
      throw new Refused("cannot read " + file + ": " + e.getMessage());
    }
    if (json) {
      call.json(withFolder(tree, folder));
      return;
    }
    if (tree instanceof Map<?, ?> summary) {
      call.output().err(text(summary, folder));
    }
    boolean open = whole ? tree instanceof Map<?, ?> summary && left(summary) > 0 : over;
    if (open) {
      call.problem("not all is done; gmap --resume --results " + shown(folder) + " goes on");
    }
  }

  private static Map<String, @Nullable Object> withFolder(@Nullable Object tree, MapFolder folder) {
    var all = new LinkedHashMap<String, @Nullable Object>();
    if (tree instanceof Map<?, ?> summary) {
      summary.forEach((name, value) -> all.put(name.toString(), value));
    }
    all.put("results", folder.path().toString());
    return all;
  }

  private static long left(Map<?, ?> summary) {
    return number(summary, "items") - number(summary, "ok") - number(summary, "failed");
  }

  private static long number(Map<?, ?> summary, String name) {
    return summary.get(name) instanceof Long number ? number : 0;
  }

  private static String shown(MapFolder folder) {
    return ShownWords.of(List.of(folder.path().toString()));
  }

  private static String text(Map<?, ?> summary, MapFolder folder) {
    double seconds = summary.get("seconds") instanceof Double d ? d : 0;
    String head =
        "%s of %s items ok, %s failed; %s, %s items/s, speed-up %s\n"
            .formatted(
                summary.get("ok"),
                summary.get("items"),
                summary.get("failed"),
                seconds < MINUTES ? number(seconds) + " s" : JobText.span(Math.round(seconds)),
                number(summary.get("items_per_second")),
                number(summary.get("speed_up")));
    return head + cards(summary) + "results in " + folder.path() + "\n";
  }

  /** Empty where there was none. */
  private static String cards(Map<?, ?> summary) {
    var rows = new ArrayList<List<String>>();
    if (summary.get("gpus") instanceof List<?> cards) {
      for (Object one : cards) {
        if (one instanceof Map<?, ?> card && card.get("gpu") instanceof String gpu) {
          double used = card.get("utilisation") instanceof Double d ? d : 0;
          String busy = number(card.get("busy_seconds")) + " s";
          rows.add(
              List.of(gpu, String.valueOf(card.get("items")), busy, Math.round(used * 100) + "%"));
        }
      }
    }
    if (rows.isEmpty()) {
      return "";
    }
    var table = new Table();
    table.texts("GPU", "ITEMS", "BUSY", "UTILISATION");
    rows.forEach(row -> table.texts(row.toArray(String[]::new)));
    return table.text(false);
  }

  private static String number(Object value) {
    return value instanceof Double d ? String.format(Locale.ROOT, "%.1f", d) : "" + value;
  }
}
