package gflow.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What no compiler says about the sources. */
class TidyTest {
  private static final Path MAIN = Path.of("src/main/java");
  private static final Path TESTS = Path.of("src/test/java");
  private static final int MOST_LINES = 500;
  private static final int LONGEST_LINE = 100;

  /** Those that wait for a living: a pause in a kill that has to search, and commands. */
  private static final List<String> MAY_SLEEP = List.of("gflow/process/Pause.java", "gflow/cli/");

  private static final Pattern PURE = Pattern.compile("gflow/(job|plan|script|json)/.*");
  private static final Pattern HASHED = Pattern.compile("(\\w+)\\s*=\\s*new Hash(?:Map|Set)<");
  private static final Pattern ANY_ORDER =
      Pattern.compile(
          "\\b(Set|Map)\\.(of|ofEntries|copyOf)\\([^)]|toSet\\(|toMap\\(|groupingBy\\(");

  @Test
  void nothing_is_left_for_later() {
    // Put together here, so that this file does not find itself.
    var later = Pattern.compile("\\b(TO" + "DO|FIX" + "ME|XX" + "X)\\b");
    assertThat(lines(all(), (file, line) -> later.matcher(line).find())).isEmpty();
  }

  @Test
  void lines_are_short() {
    assertThat(
            lines(
                all(),
                (file, line) ->
                    line.codePointCount(0, line.length()) > LONGEST_LINE
                        && !line.startsWith("import ")))
        .isEmpty();
  }

  @Test
  void files_are_short() {
    assertThat(all()).filteredOn(file -> read(file).size() > MOST_LINES).isEmpty();
  }

  /** Who reads a name shall not have to ask in which room. */
  @Test
  void no_class_name_stands_twice() {
    assertThat(sources(MAIN).stream().map(Path::getFileName).map(Path::toString))
        .filteredOn(name -> !name.equals("package-info.java"))
        .doesNotHaveDuplicates();
  }

  @Test
  void nothing_sleeps() {
    assertThat(
            lines(
                sources(MAIN),
                (file, line) ->
                    line.contains("Thread.sleep")
                        && MAY_SLEEP.stream().noneMatch(file::startsWith)))
        .isEmpty();
  }

  @Test
  void every_package_says_what_it_is_and_is_null_marked() {
    List<Path> folders = sources(MAIN).stream().map(Path::getParent).distinct().toList();
    assertThat(folders)
        .allSatisfy(
            folder ->
                assertThat(folder.resolve("package-info.java"))
                    .content()
                    .contains("/**", "@NullMarked"));
  }

  @Test
  void the_pure_rooms_walk_through_nothing_in_hash_order() {
    var walked = new ArrayList<String>();
    for (Path file : sources(MAIN)) {
      if (PURE.matcher(name(file)).matches()) {
        String text = String.join("\n", read(file));
        HASHED
            .matcher(text)
            .results()
            .map(found -> found.group(1))
            .filter(field -> walks(field).matcher(text).find())
            .forEach(field -> walked.add(name(file) + ": " + field));
      }
    }
    assertThat(walked).isEmpty();
    assertThat(
            lines(
                sources(MAIN),
                (file, line) -> PURE.matcher(file).matches() && ANY_ORDER.matcher(line).find()))
        .isEmpty();
  }

  private static Pattern walks(String field) {
    return Pattern.compile(
        "\\b%s\\s*\\.\\s*(values|keySet|entrySet|forEach|stream|iterator)\\b|: (this\\.)?%s\\)"
            .formatted(field, field));
  }

  @Test
  void a_walk_through_a_hash_map_is_seen() {
    assertThat("users.values().stream()").containsPattern(walks("users"));
    assertThat("for (var u : users) {").containsPattern(walks("users"));
    assertThat("users.getOrDefault(1, 2)").doesNotContainPattern(walks("users"));
  }

  private static List<String> lines(List<Path> files, BiPredicate<String, String> bad) {
    var found = new ArrayList<String>();
    for (Path file : files) {
      List<String> lines = read(file);
      for (int i = 0; i < lines.size(); i++) {
        if (bad.test(name(file), lines.get(i))) {
          found.add(name(file) + ":" + (i + 1) + ": " + lines.get(i).strip());
        }
      }
    }
    return found;
  }

  private static String name(Path file) {
    return (file.startsWith(MAIN) ? MAIN : TESTS).relativize(file).toString();
  }

  private static List<Path> all() {
    return Stream.concat(sources(MAIN).stream(), sources(TESTS).stream()).toList();
  }

  private static List<Path> sources(Path top) {
    try (Stream<Path> files = Files.walk(top)) {
      return files.filter(f -> f.toString().endsWith(".java")).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> read(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
