package gflow.cli.frame;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lines of key=value; what is not known is left out, and so is a line without any. */
public final class KeyValueLines {
  private final List<List<String>> lines = new ArrayList<>();

  /** A new line that begins with these words as they stand. */
  public KeyValueLines line(String words) {
    lines.add(new ArrayList<>());
    return put(words);
  }

  public KeyValueLines put(String words) {
    lines.getLast().add(words);
    return this;
  }

  /** A new line, and what stands first in it. */
  public KeyValueLines line(String key, @Nullable Object value) {
    lines.add(new ArrayList<>());
    return put(key, value);
  }

  public KeyValueLines put(String key, @Nullable Object value) {
    if (value != null) {
      lines.getLast().add(key + "=" + value);
    }
    return this;
  }

  public String text() {
    return joined("\n   ");
  }

  /** All in one line, as {@code scontrol -o} prints it. */
  public String oneLine() {
    return joined(" ");
  }

  private String joined(String between) {
    return lines.stream()
            .filter(line -> !line.isEmpty())
            .map(line -> String.join(" ", line))
            .collect(Collectors.joining(between))
        + "\n";
  }
}
