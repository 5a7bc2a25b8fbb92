package gflow.config;

import gflow.job.Ranges;
import gflow.script.value.BadInput;
import gflow.script.value.NearestWord;
import gflow.script.value.Sizes;
import gflow.script.value.Times;
import gflow.script.value.Toml;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a file, asked for one by one: each question names a key that exists, so what was
 * never asked for is a mistake of the file. Problems are gathered by line.
 */
final class Settings {
  private static final long MOST_GPU = 1023;
  private static final int LEAST_PORT = 1024;
  private static final int MOST_PORT = 65_535;
  private static final Pattern PORTS = Pattern.compile("(\\d{1,5})-(\\d{1,5})");

  private final SortedMap<Integer, String> problems;
  private final Map<String, Toml.Entry> entries = new TreeMap<>();
  private final List<String> known = new ArrayList<>();

  Settings(Toml.Content content) {
    this.problems = new TreeMap<>(content.wrong());
    for (Toml.Entry entry : content.entries()) {
      entries.put(entry.name(), entry);
    }
  }

  /** The names of all keys that were asked for, as {@code table.key}. */
  List<String> known() {
    return known;
  }

  /** Problems by line, with those keys and tables that nobody asked for. */
  SortedMap<Integer, String> problems(List<Toml.Table> tables) {
    for (Toml.Table table : tables) {
      if (known.stream().noneMatch(name -> name.startsWith(table.name() + "."))) {
        List<String> names =
            known.stream().map(n -> n.substring(0, n.lastIndexOf('.'))).distinct().toList();
        problems.putIfAbsent(
            table.line(), "there is no table [" + table.name() + "]" + hint(table.name(), names));
        entries.values().removeIf(entry -> entry.table().equals(table.name()));
      }
    }
    for (Toml.Entry entry : entries.values()) {
      if (!known.contains(entry.name())) {
        problems.putIfAbsent(entry.line(), unknown(entry));
      }
    }
    return problems;
  }

  private String unknown(Toml.Entry entry) {
    for (String name : known) {
      if (name.endsWith("." + entry.key())) {
        String home = name.substring(0, name.lastIndexOf('.'));
        return entry.key() + " belongs under [" + home + "], not [" + entry.table() + "]";
      }
    }
    String prefix = entry.table() + ".";
    List<String> keys =
        known.stream()
            .filter(n -> n.startsWith(prefix))
            .map(n -> n.substring(prefix.length()))
            .toList();
    return "[" + entry.table() + "] has no key " + entry.key() + hint(entry.key(), keys);
  }

  private static String hint(String word, List<String> words) {
    return NearestWord.to(word, words)
        .map(nearest -> "; did you mean " + nearest + "?")
        .orElse("; there are " + String.join(", ", words));
  }

  private Optional<Toml.Entry> entry(String name) {
    known.add(name);
    return Optional.ofNullable(entries.get(name));
  }

  private void wrong(Toml.Entry entry, String expected) {
    String was = entry.value() instanceof String text ? '"' + text + '"' : entry.value().toString();
    problems.putIfAbsent(entry.line(), entry.key() + ": expected " + expected + ", was " + was);
  }

  /** Null, or what is thrown, if the value is not of its form. */
  private interface Reader<T> {
    @Nullable T read(Object value) throws BadInput;
  }

  private <T> T read(String name, T standard, String expected, Reader<T> reader) {
    Optional<Toml.Entry> entry = entry(name);
    if (entry.isEmpty()) {
      return standard;
    }
    try {
      T value = reader.read(entry.get().value());
      if (value != null) {
        return value;
      }
    } catch (BadInput e) {
      // Said below, in the words of the file.
    }
    wrong(entry.get(), expected);
    return standard;
  }

  /** The empty text is "not said". */
  Optional<String> text(String name, String expected, Predicate<String> good) {
    String text =
        read(
            name,
            "",
            expected,
            value -> value instanceof String t && (t.isEmpty() || good.test(t)) ? t : null);
    return text.isEmpty() ? Optional.empty() : Optional.of(text);
  }

  int whole(String name, int standard, int least, int most) {
    String expected = "a whole number from " + least + " to " + most;
    return read(
        name,
        standard,
        expected,
        value -> value instanceof Long n && n >= least && n <= most ? n.intValue() : null);
  }

  /** All that stands in a table whose keys are the user's. */
  SortedMap<String, String> table(String name) {
    var all = new TreeMap<String, String>();
    for (Toml.Entry entry : List.copyOf(entries.values())) {
      if (entry.table().equals(name)) {
        text(entry.name(), "a text as in \"A100-SXM4-80GB\"", _ -> true)
            .ifPresent(text -> all.put(entry.key(), text));
      }
    }
    return all;
  }

  /** 0 is "no limit". */
  OptionalInt limit(String name) {
    int value = whole(name, 0, 0, Integer.MAX_VALUE);
    return value == 0 ? OptionalInt.empty() : OptionalInt.of(value);
  }

  long size(String name, long standard) {
    return read(
        name,
        standard,
        "a size as in \"500M\" or \"1G\"",
        value ->
            value instanceof String || value instanceof Long
                ? Sizes.parse(value.toString())
                : null);
  }

  /** 0 is "none". */
  OptionalLong sizeOrNone(String name, long standard) {
    long size = size(name, standard);
    return size == 0 ? OptionalLong.empty() : OptionalLong.of(size);
  }

  /** The empty text is "none", and so is no time at all. */
  Optional<Duration> durationOrNone(String name, Duration standard) {
    Duration duration =
        read(
            name,
            standard,
            "a duration as in \"10s\", \"2:00:00\", \"90d\", or \"\" for none",
            value -> value.equals("") ? Duration.ZERO : duration(value));
    return duration.isZero() ? Optional.empty() : Optional.of(duration);
  }

  /** Nothing unless it is given; 0s is something. */
  Optional<Duration> givenDuration(String name) {
    return read(
        name,
        Optional.<Duration>empty(),
        "a duration as in \"10s\" or \"2:00:00\"",
        value -> {
          Duration given = value.equals("") ? Duration.ZERO : duration(value);
          return given == null ? null : Optional.of(given).filter(_ -> !value.equals(""));
        });
  }

  private static @Nullable Duration duration(Object value) throws BadInput {
    return value instanceof String text ? Times.duration(text) : null;
  }

  List<String> texts(String name) {
    return texts(name, List.of());
  }

  List<String> texts(String name, List<String> standard) {
    return list(
            name, standard, "a list of texts as in [\"a\", \"b\"]", part -> part instanceof String)
        .stream()
        .map(Object::toString)
        .toList();
  }

  /** GPUs by their numbers. */
  Ranges numbers(String name) {
    return Ranges.ofAll(
        list(
                name,
                List.of(),
                "a list of whole numbers as in [0, 1]",
                part -> part instanceof Long n && n >= 0 && n <= MOST_GPU)
            .stream()
            .map(part -> ((Long) part).intValue())
            .distinct()
            .toList());
  }

  private List<?> list(String name, List<?> standard, String expected, Predicate<Object> good) {
    return this.<List<?>>read(
        name,
        standard,
        expected,
        value -> value instanceof List<?> list && list.stream().allMatch(good) ? list : null);
  }

  /** From the first to the last, at least one. */
  Ranges ports(String name, Ranges standard) {
    return read(
        name,
        standard,
        "ports from 1024 to 65535 as in \"20000-31999\"",
        value -> {
          Matcher range = PORTS.matcher(value.toString());
          int first = range.matches() ? Integer.parseInt(range.group(1)) : MOST_PORT;
          int last = range.matches() ? Integer.parseInt(range.group(2)) : 0;
          return first >= LEAST_PORT && first <= last && last <= MOST_PORT
              ? Ranges.of(first, last)
              : null;
        });
  }

  boolean flag(String name) {
    return read(name, false, "true or false", value -> value instanceof Boolean flag ? flag : null);
  }

  <E extends Enum<E>> E choice(String name, E standard) {
    E[] all = standard.getDeclaringClass().getEnumConstants();
    List<String> words = Arrays.stream(all).map(e -> e.name().toLowerCase(Locale.ROOT)).toList();
    String expected = "one of \"" + String.join("\", \"", words) + '"';
    return read(
        name,
        standard,
        expected,
        value -> words.contains(value) ? all[words.indexOf(value)] : null);
  }
}
