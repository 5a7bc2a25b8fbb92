package gflow.cli;

import gflow.json.BadJson;
import gflow.json.Json;
import gflow.map.MapFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What a map came to: on stderr for people, on stdout in JSON. */
final class MapSummary {
  private MapSummary() {}

  static void say(Call call, MapFolder folder, boolean json) throws Refused {
    Object tree;
    try {
      tree = Files.exists(folder.summary()) ? Json.parse(Files.readString(folder.summary())) : null;
    } catch (IOException | BadJson e) {
      throw new Refused("cannot read " + folder.summary() + ": " + e.getMessage());
    }
    if (json) {
      call.json(tree);
    } else if (tree instanceof Map<?, ?> summary) {
      call.output().err(text(summary, folder));
    } else {
      call.problem("it did not come to its end; gmap --resume --results " + folder.path());
    }
  }

  private static String text(Map<?, ?> summary, MapFolder folder) {
    var text = new StringBuilder();
    text.append(
        "%s of %s items ok, %s failed; %s s, %s items/s, speed-up %s; results in %s\n"
            .formatted(
                summary.get("ok"),
                summary.get("items"),
                summary.get("failed"),
                number(summary.get("seconds")),
                number(summary.get("items_per_second")),
                number(summary.get("speed_up")),
                folder.path()));
    var table = new Table();
    if (summary.get("gpus") instanceof List<?> cards && cards.stream().anyMatch(MapSummary::isNamed)) {
      table.texts("GPU", "ITEMS", "BUSY", "UTILISATION");
      for (Object one : cards) {
        if (one instanceof Map<?, ?> card && card.get("gpu") instanceof String gpu) {
          double used = card.get("utilisation") instanceof Double d ? d : 0;
          table.texts(
              gpu,
              String.valueOf(card.get("items")),
              number(card.get("busy_seconds")) + " s",
              Math.round(used * 100) + "%");
        }
      }
      text.append(table.text(false));
    }
    return text.toString();
  }

  /** Where there are no cards, all slots are one without a name. */
  private static boolean isNamed(Object one) {
    return one instanceof Map<?, ?> card && card.get("gpu") instanceof String;
  }

  private static String number(Object value) {
    return value instanceof Double d ? String.format(Locale.ROOT, "%.1f", d) : "" + value;
  }
}
