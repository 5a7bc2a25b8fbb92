package gflow.same;

import static java.util.Locale.ROOT;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A difference that is meant, with its reason: an entry of {@code differences.txt}. Each of its
 * places is {@code CASE | FIELD | gflow's value | Slurm's value}, where a star stands for anything.
 */
record Listed(String title, Kind kind, List<String> about, String why, List<Place> places) {

  /** Why gflow is not as the Slurm that it is compared with. */
  enum Kind {
    NEWER("as the newer Slurm 24.11"),
    SIGNALS("a program killed by a signal shows as such"),
    KINDER("kinder than Slurm"),
    ONE_MACHINE("one machine, one user"),
    NOT_HERE("not here");

    final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  record Place(String text, List<Pattern> patterns) {
    boolean covers(Difference difference) {
      List<String> values =
          Stream.of(difference.where(), difference.field(), difference.gflow(), difference.slurm())
              .toList();
      for (int i = 0; i < values.size(); i++) {
        if (!patterns.get(i).matcher(values.get(i)).matches()) {
          return false;
        }
      }
      return true;
    }
  }

  boolean covers(Difference difference) {
    return places.stream().anyMatch(place -> place.covers(difference));
  }

  static List<Listed> all() {
    try {
      return parse(Files.readString(Case.HOME.resolve("differences.txt")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<Listed> parse(String text) {
    return Stream.of(text.split("(?m)^## ", -1)).skip(1).map(Listed::entry).toList();
  }

  private static Listed entry(String text) {
    List<String> lines = text.lines().toList();
    String title = lines.getFirst();
    return new Listed(
        title,
        Kind.valueOf(one(title, lines, "kind").toUpperCase(ROOT).replace(' ', '_')),
        List.of(one(title, lines, "about").split(", ", -1)),
        one(title, lines, "why"),
        values(lines, "seen").stream().map(Listed::place).toList());
  }

  private static String one(String title, List<String> lines, String key) {
    List<String> values = values(lines, key);
    if (values.isEmpty()) {
      throw new AssertionError("differences.txt: '" + title + "' has no line " + key + ":");
    }
    return String.join(" ", values);
  }

  private static List<String> values(List<String> lines, String key) {
    return lines.stream()
        .filter(line -> line.startsWith(key + ": "))
        .map(line -> line.substring(key.length() + 2))
        .toList();
  }

  private static Place place(String text) {
    String[] parts = text.split(" \\| ", -1);
    if (parts.length != 4) {
      throw new AssertionError(
          "differences.txt: write CASE | FIELD | gflow's value | Slurm's value, not " + text);
    }
    var patterns = new ArrayList<Pattern>();
    for (String part : parts) {
      patterns.add(Pattern.compile(("\\Q" + part + "\\E").replace("*", "\\E.*\\Q")));
    }
    return new Place(text, patterns);
  }

  /** Those that no entry covers, in words for people. */
  static List<String> unlisted(List<Difference> found, List<Listed> listed) {
    return found.stream()
        .filter(one -> listed.stream().noneMatch(entry -> entry.covers(one)))
        .map(Difference::toString)
        .toList();
  }

  /** Places that were not met: the list says less than the truth if they stay. */
  static List<String> unmet(List<Difference> found, List<Listed> listed) {
    return listed.stream()
        .flatMap(entry -> entry.places().stream())
        .filter(place -> found.stream().noneMatch(place::covers))
        .map(place -> "listed, but not so any more: " + place.text())
        .toList();
  }
}
