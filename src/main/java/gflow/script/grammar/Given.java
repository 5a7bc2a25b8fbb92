package gflow.script.grammar;

import gflow.script.value.BadInput;
import gflow.script.value.WholeNumbers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * What a command line said: options by their long names, and the other words. A flag has the value
 * {@code ""}; in JSON it may also be {@code true} or {@code false}. Of options that stand in a
 * script it knows the line.
 */
public record Given(SortedMap<String, List<String>> byName, List<String> words, Lines lines) {
  /** With an empty value, that of a variable nobody set, Slurm takes these as not given. */
  private static final List<String> MAY_BE_EMPTY =
      Opt.names(
          "account qos dependency exclude nodelist reservation constraint comment licenses "
              + "name job-name wckey mail-user error input chdir export");

  /** In which lines of a script options stand. */
  public record Lines(String script, SortedMap<String, Integer> byName) {
    static final Lines NONE = new Lines("", new TreeMap<>());

    /** The last of these options that stands in the script; empty if none does. */
    private String place(List<String> names) {
      int last = names.stream().mapToInt(name -> byName.getOrDefault(name, 0)).max().orElse(0);
      return last == 0 ? "" : script + " line " + last;
    }
  }

  /** Makes something of what was given. */
  public interface Reading<T> {
    T read() throws BadInput;
  }

  /** Makes something of one value. */
  public interface Parser<T> {
    T parse(String text) throws BadInput;
  }

  public Given(SortedMap<String, List<String>> byName, List<String> words) {
    this(byName, words, Lines.NONE);
  }

  public Given {
    byName = Collections.unmodifiableSortedMap(new TreeMap<>(byName));
    words = List.copyOf(words);
  }

  /** The same words with other options, none of which stand in a script. */
  public Given changed(Consumer<SortedMap<String, List<String>>> change) {
    var options = new TreeMap<>(byName);
    change.accept(options);
    return new Given(options, words);
  }

  /** If it goes wrong and one of these options stands in a script, the line is told too. */
  public <T> T about(List<String> names, Reading<T> reading) throws BadInput {
    try {
      return reading.read();
    } catch (BadInput bad) {
      throw bad.placed() ? bad : bad.at(lines.place(names));
    }
  }

  /** What is wrong with these options, with its place if they stand in a script. */
  public BadInput bad(List<String> names, String line) {
    return new BadInput(line).at(lines.place(names));
  }

  /** A line about these options, with its place if they stand in a script. */
  public String placed(List<String> names, String line) {
    String place = lines.place(names);
    return place.isEmpty() ? line : place + ": " + line;
  }

  /** The last value of an option, read. */
  public <T> Optional<T> read(String name, Parser<T> parser) throws BadInput {
    Optional<String> text = value(name);
    return text.isPresent()
        ? Optional.of(about(List.of(name), () -> parser.parse(text.get())))
        : Optional.empty();
  }

  public int number(String name, int least, int most, int otherwise) throws BadInput {
    return read(name, text -> WholeNumbers.between(name, text, least, most)).orElse(otherwise);
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
    List<String> values = byName.getOrDefault(name, List.of());
    return values.equals(List.of("")) && mayBeEmpty(name) ? List.of() : values;
  }

  static boolean mayBeEmpty(String name) {
    return MAY_BE_EMPTY.contains(name);
  }

  /** Gathers options while they are read. */
  public static final class Collector {
    private final SortedMap<String, List<String>> byName = new TreeMap<>();
    private final List<String> words = new ArrayList<>();
    private final SortedMap<String, Integer> lines = new TreeMap<>();

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

    public void addAll(Opt option, List<String> values, int line) {
      for (String value : values) {
        add(option, value);
        lines.put(option.name(), line);
      }
    }

    void word(String word) {
      words.add(word);
    }

    Given given() {
      return given("");
    }

    public Given given(String script) {
      var copy = new TreeMap<String, List<String>>();
      byName.forEach((name, values) -> copy.put(name, List.copyOf(values)));
      return new Given(copy, words, new Lines(script, lines));
    }
  }
}
