package gflow.map.results;

import gflow.json.BadJson;
import gflow.json.Json;
import gflow.json.RecordJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How far a map is, as it stands in {@code progress.json}, or what it came to, in {@code
 * summary.json}. The times are those of the last run.
 */
public record MapProgress(
    int items,
    int ok,
    int failed,
    int running,
    Instant start,
    double seconds,
    double itemsPerSecond,
    double itemSeconds,
    double speedUp,
    List<Gpu> gpus) {
  /** What one GPU did, or all slots where there is none; how long it had work, and which part. */
  public record Gpu(
      Optional<String> gpu, int items, int running, double busySeconds, double utilisation) {}

  public int done() {
    return ok + failed;
  }

  /** Empty if there is none. */
  public static Optional<MapProgress> read(Path file) throws IOException, BadJson {
    return Files.exists(file)
        ? Optional.of(RecordJson.read(MapProgress.class, Files.readString(file)))
        : Optional.empty();
  }

  /** Whole at any moment. */
  public void write(Path file) throws IOException {
    Path fresh = FileReplacement.fresh(file);
    Files.writeString(fresh, Json.pretty(RecordJson.tree(this)) + "\n");
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
