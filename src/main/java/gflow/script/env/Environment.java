package gflow.script.env;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A block of variables, each ended by a NUL, byte for byte. Inside, each byte is one char, so that
 * nothing is lost whatever encoding the values have.
 */
public record Environment(List<String> entries) {
  public static Environment of(byte[] block) {
    String[] entries = new String(block, ISO_8859_1).split("\0", -1);
    return new Environment(Stream.of(entries).filter(entry -> !entry.isEmpty()).toList());
  }

  public byte[] block() {
    var text = new StringBuilder();
    entries.forEach(entry -> text.append(entry).append('\0'));
    return text.toString().getBytes(ISO_8859_1);
  }

  public static String name(String entry) {
    int equals = entry.indexOf('=');
    return equals < 0 ? entry : entry.substring(0, equals);
  }

  /** The value as text, for those that are text. */
  public Optional<String> value(String name) {
    String start = name + "=";
    for (String entry : entries) {
      if (entry.startsWith(start)) {
        return Optional.of(text(entry.substring(start.length())));
      }
    }
    return Optional.empty();
  }

  /** All that have a value, as text; of several of one name the first counts. */
  public SortedMap<String, String> texts() {
    var texts = new TreeMap<String, String>();
    for (String entry : entries) {
      int equals = entry.indexOf('=');
      if (equals > 0) {
        texts.putIfAbsent(entry.substring(0, equals), text(entry.substring(equals + 1)));
      }
    }
    return texts;
  }

  private static String text(String bytes) {
    return new String(bytes.getBytes(ISO_8859_1), UTF_8);
  }

  /** All names that have a value; to look up, not to walk through. */
  public Set<String> names() {
    var names = new HashSet<String>();
    entries.stream().filter(e -> e.indexOf('=') >= 0).forEach(e -> names.add(name(e)));
    return names;
  }

  public Environment keep(Predicate<String> names) {
    return new Environment(entries.stream().filter(entry -> names.test(name(entry))).toList());
  }

  /** Sets variables; all others stay as and where they are. */
  public Environment with(SequencedMap<String, String> variables) {
    var changed = new ArrayList<>(keep(n -> !variables.containsKey(n)).entries());
    variables.forEach(
        (name, value) -> changed.add(new String((name + "=" + value).getBytes(UTF_8), ISO_8859_1)));
    return new Environment(changed);
  }

  Environment with(String name, String value) {
    var one = new LinkedHashMap<String, String>();
    one.put(name, value);
    return with(one);
  }

  /** The folder goes before all others of PATH, whose bytes stay as they are; it is there once. */
  Environment withFirstInPath(String folder) {
    String bytes = new String(folder.getBytes(UTF_8), ISO_8859_1);
    boolean has = entries.stream().anyMatch(e -> e.startsWith("PATH="));
    return has
        ? new Environment(
            entries.stream()
                .map(e -> e.startsWith("PATH=") ? "PATH=" + first(bytes, e.substring(5)) : e)
                .toList())
        : with("PATH", folder + ":/usr/local/bin:/usr/bin:/bin");
  }

  private static String first(String folder, String path) {
    var folders = new ArrayList<>(List.of(path.split(":", -1)));
    folders.removeIf(folder::equals);
    folders.addFirst(folder);
    return String.join(":", folders);
  }
}
