package gflow.script;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a command line said: options by their long names, and the other words. A flag has the value
 * {@code ""}; in JSON it may also be {@code true} or {@code false}.
 */
public final class Given {
  private final SortedMap<String, List<String>> byName;
  private final List<String> words;

  public Given(SortedMap<String, List<String>> byName, List<String> words) {
    this.byName = Collections.unmodifiableSortedMap(new TreeMap<>(byName));
    this.words = List.copyOf(words);
  }

  public boolean has(String name) {
    List<String> values = values(name);
    return !values.isEmpty() && !values.equals(List.of("false"));
  }

  /** The last value. */
  public Optional<String> value(String name) {
    List<String> values = values(name);
    return values.isEmpty() ? Optional.empty() : Optional.of(values.getLast());
  }

  public List<String> values(String name) {
    return byName.getOrDefault(name, List.of());
  }

  public List<String> words() {
    return words;
  }

  public SortedMap<String, List<String>> byName() {
    return byName;
  }

  /** Gathers options while they are read. */
  static final class Collector {
    private final SortedMap<String, List<String>> byName = new TreeMap<>();
    private final List<String> words = new ArrayList<>();

    void add(Opt option, String value) {
      if (!option.repeat()) {
        byName.remove(option.name());
        byName.remove(opposite(option.name()));
      }
      byName.computeIfAbsent(option.name(), n -> new ArrayList<>()).add(value);
    }

    /** The last of {@code --requeue} and {@code --no-requeue} wins too. */
    private static String opposite(String name) {
      return name.startsWith("no-") ? name.substring(3) : "no-" + name;
    }

    void addAll(Opt option, List<String> values) {
      values.forEach(value -> add(option, value));
    }

    void word(String word) {
      words.add(word);
    }

    Given given() {
      var copy = new TreeMap<String, List<String>>();
      byName.forEach((name, values) -> copy.put(name, List.copyOf(values)));
      return new Given(copy, words);
    }
  }
}
