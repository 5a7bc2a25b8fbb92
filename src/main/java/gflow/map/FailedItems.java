package gflow.map;

import gflow.json.BadJson;
import gflow.json.Json;
import gflow.process.RawText;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/** {@code failed.txt}: the failed items, one in a line, as {@code --items-from} takes them. */
final class FailedItems {
  private FailedItems() {}

  static void list(MapFolder folder) throws IOException {
    Path fresh = folder.failed().resolveSibling("failed.txt.new");
    try (BufferedReader lines = Files.newBufferedReader(folder.results());
        var out = Files.newOutputStream(fresh)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.contains("\"status\":\"failed\"")
            && Json.parse(line) instanceof Map<?, ?> result
            && Result.FAILED.equals(result.get("status"))) {
          out.write(RawText.bytes(text(result) + "\n"));
        }
      }
    } catch (BadJson e) {
      throw new IOException(folder.results() + " is damaged: " + e.getMessage(), e);
    }
    Files.move(fresh, folder.failed(), StandardCopyOption.REPLACE_EXISTING);
  }

  private static String text(Map<?, ?> result) {
    return result.get("item") instanceof List<?> values
        ? String.join(" ", values.stream().map(String::valueOf).toList())
        : String.valueOf(result.get("item"));
  }
}
