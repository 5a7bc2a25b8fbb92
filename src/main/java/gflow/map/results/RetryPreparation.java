package gflow.map.results;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import gflow.json.BadJson;
import gflow.json.Json;
import gflow.map.items.ItemFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes lines out of the results of a map that is gone on with, so that their items are done again.
 * What is taken out is kept in the log; {@link FileReplacement} puts the new file in place.
 */
public final class RetryPreparation {
  private interface Keeping {
    /** The line as it shall be, or nothing if its item is to be done again. */
    Optional<Map<?, ?>> line(Map<?, ?> before);
  }

  private RetryPreparation() {}

  /**
   * Writes the results as they shall be: without what failed, and with the lines of {@code items}
   * where those stand, if these are others than before.
   */
  public static void prepare(MapFolder folder, boolean dropFailed, Optional<Path> items)
      throws IOException {
    var places = new HashMap<Object, Integer>();
    if (items.isPresent()) {
      try (var all = ItemFile.read(items.get())) {
        all.forEachRemaining(item -> places.putIfAbsent(Result.shown(item), item.index()));
      }
    }
    rewrite(
        folder,
        line -> {
          if (dropFailed && Result.FAILED.equals(line.get("status"))) {
            return Optional.empty();
          }
          return items.isPresent()
              ? moved(line, places.remove(line.get("item")))
              : Optional.of(line);
        });
  }

  private static Optional<Map<?, ?>> moved(Map<?, ?> line, @Nullable Integer place) {
    if (place == null) {
      return Optional.empty();
    }
    var moved = new LinkedHashMap<Object, @Nullable Object>(line);
    moved.put("index", place.longValue());
    return Optional.of(moved);
  }

  private static void rewrite(MapFolder folder, Keeping keeping) throws IOException {
    if (!Files.exists(folder.results())) {
      return;
    }
    Files.createDirectories(folder.logs());
    Path fresh = FileReplacement.fresh(folder.results());
    try (BufferedReader lines = Files.newBufferedReader(folder.results());
        OutputStream kept = new java.io.BufferedOutputStream(Files.newOutputStream(fresh));
        OutputStream gone =
            Files.newOutputStream(folder.logs().resolve("results-before.jsonl"), CREATE, APPEND)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Optional<Map<?, ?>> now = tree(line).flatMap(keeping::line);
        (now.isPresent() ? kept : gone)
            .write((now.map(Json::text).orElse(line) + "\n").getBytes(UTF_8));
      }
    }
  }

  private static Optional<Map<?, ?>> tree(String line) {
    try {
      return Json.parse(line) instanceof Map<?, ?> tree ? Optional.of(tree) : Optional.empty();
    } catch (BadJson e) {
      return Optional.empty();
    }
  }
}
