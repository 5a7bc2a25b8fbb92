package gflow.map.results;

import java.nio.file.Path;

/** Where everything of one map lies. */
public record MapFolder(Path path) {
  public Path plan() {
    return path.resolve("map.json");
  }

  public Path items() {
    return path.resolve("items");
  }

  public Path results() {
    return path.resolve("results.jsonl");
  }

  public Path failed() {
    return path.resolve("failed.txt");
  }

  public Path summary() {
    return path.resolve("summary.json");
  }

  /** How far it is, for who watches: always whole, never synced. */
  public Path progress() {
    return path.resolve("progress.json");
  }

  public Path lock() {
    return path.resolve("lock");
  }

  public Path logs() {
    return path.resolve("log");
  }

  public Path log() {
    return logs().resolve("gmap.log");
  }

  /** What the job of a map says besides. */
  public Path runnerLog() {
    return logs().resolve("runner.log");
  }

  public Path slot(int number, String stream) {
    return logs().resolve("slot-" + number + "." + stream);
  }

  /** What a worker prints besides its answers. */
  public Path worker(int slot) {
    return logs().resolve("worker-" + slot + ".log");
  }

  /** Of an item that printed much. */
  public Path kept(int index, String stream) {
    return logs().resolve("item-" + index + "." + stream);
  }
}
