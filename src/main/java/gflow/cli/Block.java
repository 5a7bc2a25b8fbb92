package gflow.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lines of key=value; what is not known is left out, and so is a line without any. */
final class Block {
  private final List<List<String>> lines = new ArrayList<>();

  Block line() {
    lines.add(new ArrayList<>());
    return this;
  }

  Block word(String word) {
    lines.getLast().add(word);
    return this;
  }

  Block put(String key, @Nullable Object value) {
    if (value != null) {
      lines.getLast().add(key + "=" + value);
    }
    return this;
  }

  String text() {
    return joined("\n   ");
  }

  /** All in one line, as {@code scontrol -o} prints it. */
  String line(String between) {
    return joined(between);
  }

  private String joined(String between) {
    return lines.stream()
            .filter(line -> !line.isEmpty())
            .map(line -> String.join(" ", line))
            .collect(Collectors.joining(between))
        + "\n";
  }
}
