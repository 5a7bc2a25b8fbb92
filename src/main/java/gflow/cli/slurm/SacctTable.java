package gflow.cli.slurm;

import gflow.cli.frame.Call;
import gflow.cli.frame.Column;
import gflow.cli.frame.LineFormat;
import gflow.cli.frame.LineParts;
import gflow.script.grammar.Given;
import gflow.script.value.BadInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The columns of {@code sacct} side by side, or between bars. */
final class SacctTable {
  private final List<Shown> columns;
  private final Optional<String> bar;
  private final boolean barAtEnd;

  /** {@code width} is negative for text on the left. */
  private record Shown(Column<SacctRow> column, int width) {
    /** What does not fit ends in a plus. */
    String fit(String text) {
      int most = Math.abs(width);
      return text.length() > most
          ? text.substring(0, most - 1) + "+"
          : LineFormat.fit(text, most, width > 0);
    }
  }

  private SacctTable(List<Shown> columns, Optional<String> bar, boolean barAtEnd) {
    this.columns = columns;
    this.bar = bar;
    this.barAtEnd = barAtEnd;
  }

  static SacctTable of(Call call, Given given) throws BadInput {
    String usual = given.has("brief") ? SacctColumns.BRIEF : SacctColumns.USUAL;
    String format = given.value("format").or(() -> call.variable("SACCT_FORMAT")).orElse(usual);
    var columns = new ArrayList<Shown>();
    for (String word : format.split(",", -1)) {
      if (!word.isBlank()) {
        columns.add(shown(word.strip()));
      }
    }
    boolean bars = given.has("parsable") || given.has("parsable2");
    return new SacctTable(
        columns,
        bars ? Optional.of(given.value("delimiter").orElse("|")) : Optional.empty(),
        given.has("parsable") && !given.has("parsable2"));
  }

  /** {@code JobID}, {@code JobName%30}, {@code State%-12}. */
  private static Shown shown(String word) throws BadInput {
    String[] parts = word.split("%", 2);
    Optional<Column<SacctRow>> column = SacctColumns.ALL.byName(parts[0]);
    if (column.isEmpty() || (parts.length == 2 && !parts[1].matches("-?[1-9]\\d{0,3}"))) {
      throw new BadInput("Invalid field requested: \"" + word + "\"; sacct -e lists them");
    }
    int usual = SacctColumns.width(parts[0]);
    int width = parts.length == 2 ? Integer.parseInt(parts[1]) : usual;
    return new Shown(column.get(), parts.length == 2 && usual < 0 ? -Math.abs(width) : width);
  }

  LineParts.Text text(List<SacctRow> rows, boolean noHeader) {
    return out -> {
      if (!noHeader) {
        out.accept(line(Column::header));
        out.accept(bar.isEmpty() ? underline() : "");
      }
      rows.forEach(row -> out.accept(line(column -> column.shown().apply(row))));
    };
  }

  private String underline() {
    var line = new StringBuilder();
    columns.forEach(c -> line.append("-".repeat(Math.abs(c.width()))).append(' '));
    return line.append('\n').toString();
  }

  private String line(Function<Column<SacctRow>, String> shown) {
    if (bar.isPresent()) {
      List<String> cells = columns.stream().map(c -> shown.apply(c.column())).toList();
      return String.join(bar.get(), cells) + (barAtEnd ? bar.get() : "") + "\n";
    }
    var line = new StringBuilder();
    columns.forEach(c -> line.append(c.fit(shown.apply(c.column()))).append(' '));
    return line.append('\n').toString();
  }
}
