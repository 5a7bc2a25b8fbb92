package gflow.same;

import gflow.same.Listed.Kind;
import gflow.same.OptionTable.Row;
import gflow.script.order.OptionVariables;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code docs/slurm-compatibility.md}: the text of {@code page.md}, with the table of options, the
 * list of differences and the cases where it says so.
 */
final class CompatibilityPage {
  private final List<Row> rows = OptionTable.rows();
  private final List<Listed> listed = Listed.all();
  private final List<Case> cases = Case.all();

  String text() {
    try {
      return Files.readString(Case.HOME.resolve("page.md"))
          .lines()
          .map(this::line)
          .collect(Collectors.joining("\n", "", "\n"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String line(String line) {
    if (line.startsWith("@options ")) {
      return options(line.substring("@options ".length()));
    }
    return switch (line) {
      case "@differences" -> differences();
      case "@cases" -> cases();
      case "@variables" -> variables();
      default -> line;
    };
  }

  private static String variables() {
    return "| command | variable = option | not looked at |\n|---|---|---|\n"
        + Stream.of(OptionVariables.values())
            .map(
                one ->
                    "| %s | %s | %s |"
                        .formatted(one.command(), one.options(), String.join(", ", one.unread()))
                        .replaceAll("[{}]", ""))
            .collect(Collectors.joining("\n"));
  }

  private String options(String section) {
    return "| option | here | cases |\n|---|---|---|\n"
        + rows.stream()
            .filter(row -> row.section().equals(section))
            .map(this::row)
            .collect(Collectors.joining("\n"));
  }

  private String row(Row row) {
    String names =
        row.names().stream()
            .map(name -> OptionTable.written(row.section(), name))
            .collect(Collectors.joining(", "));
    long shown = cases.stream().filter(one -> shows(one, row)).count();
    return "| "
        + names
        + " | "
        + row.here()
        + differing(row)
        + " | "
        + (shown == 0 ? "" : shown)
        + " |";
  }

  private static boolean shows(Case one, Row row) {
    return row.names().stream().anyMatch(name -> OptionTable.in(one, row.section(), name));
  }

  private String differing(Row row) {
    return listed.stream()
        .filter(
            entry -> row.names().stream().anyMatch(name -> entry.about().contains(name(row, name))))
        .map(entry -> "; [" + entry.title() + "](#" + anchor(entry.title()) + ")")
        .collect(Collectors.joining());
  }

  /** As the list of differences names it. */
  static String name(Row row, String name) {
    return (row.section().equals(OptionTable.STEPS) ? "srun --" : "--") + name;
  }

  private static String anchor(String title) {
    return title.toLowerCase(java.util.Locale.ROOT).replaceAll("[^\\w -]", "").replace(' ', '-');
  }

  private String differences() {
    var text = new StringBuilder();
    for (Kind kind : Kind.values()) {
      List<Listed> some = listed.stream().filter(entry -> entry.kind() == kind).toList();
      if (!some.isEmpty()) {
        text.append("## Different: ").append(kind.words).append("\n\n");
        some.forEach(entry -> text.append(entry(entry)));
      }
    }
    return text.toString().stripTrailing();
  }

  private static String entry(Listed entry) {
    return "### " + entry.title() + "\n\n" + entry.why() + "\n\n";
  }

  private String cases() {
    return cases.stream()
        .map(one -> "- `" + one.name() + "`: " + one.title())
        .collect(Collectors.joining("\n"));
  }
}
