package gflow.door;

import java.util.Optional;

/** A launcher's line: its pid, and how many lines of an answer that broke off it has printed. */
record Knock(long pid, int printed) {
  static Optional<Knock> parse(String line) {
    var words = line.strip().split(" ", -1);
    try {
      int printed = words.length > 1 ? Integer.parseInt(words[1]) : 0;
      return Optional.of(new Knock(Long.parseLong(words[0]), printed));
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }
}
