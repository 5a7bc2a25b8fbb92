package gflow.door;

import java.util.Optional;

/** A launcher's pid, and how many lines of an answer that broke off it has printed already. */
record Knock(long pid, int printed) {
  /** Reads {@code 4711.0}, which is what a launcher writes and how it names its FIFO. */
  static Optional<Knock> parse(String text) {
    int dot = text.indexOf('.');
    try {
      return Optional.of(
          new Knock(
              Long.parseLong(text.substring(0, Math.max(dot, 0))),
              Integer.parseInt(text.substring(dot + 1))));
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }

  @Override
  public String toString() {
    return pid + "." + printed;
  }
}
