package gflow.map.results;

import gflow.json.BadJson;
import gflow.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Map;

/** Which items have their line already, and how they went. */
public record DoneItems(BitSet good, BitSet failed) {
  static DoneItems none() {
    return new DoneItems(new BitSet(), new BitSet());
  }

  /** Of a file that {@link ResultFile} has opened: all its lines are whole. */
  public static DoneItems read(Path results) throws IOException {
    var done = none();
    if (!Files.exists(results)) {
      return done;
    }
    try (BufferedReader lines = Files.newBufferedReader(results)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        done.add(line);
      }
    }
    return done;
  }

  private void add(String line) {
    try {
      if (Json.parse(line) instanceof Map<?, ?> result
          && result.get("index") instanceof Long index
          && result.get("status") instanceof String status) {
        (status.equals(Result.OK) ? good : failed).set(index.intValue());
      }
    } catch (BadJson e) {
      // Somebody else's line.
    }
  }

  public boolean has(int index) {
    return good.get(index) || failed.get(index);
  }

  public int count() {
    return good.cardinality() + failed.cardinality();
  }
}
