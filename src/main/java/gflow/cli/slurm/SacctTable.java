package gflow.cli.slurm;

import gflow.cli.frame.Call;
import gflow.cli.frame.LineParts;
import gflow.cli.slurm.SacctColumns.SacctColumn;
import gflow.script.grammar.Given;
import gflow.script.value.BadInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The columns of {@code sacct} side by side, or between bars. */
final class SacctTable {
  private final List<SacctColumn> columns;
  private final Optional<String> bar;
  private final boolean barAtEnd;

  SacctTable(Call call, Given given) throws BadInput {
    String usual = given.has("brief") ? SacctColumns.BRIEF : SacctColumns.USUAL;
    String format = given.value("format").or(() -> call.variable("SACCT_FORMAT")).orElse(usual);
    columns = new ArrayList<>();
    for (String word : format.split(",", -1)) {
      if (!word.isBlank()) {
        columns.add(column(word.strip()));
      }
    }
    boolean bars = given.has("parsable") || given.has("parsable2");
    bar = bars ? Optional.of(given.value("delimiter").orElse("|")) : Optional.empty();
    barAtEnd = given.has("parsable") && !given.has("parsable2");
  }

  /** {@code JobID}, {@code JobName%30}, {@code State%-12}. */
  private static SacctColumn column(String word) throws BadInput {
    String[] parts = word.split("%", 2);
    Optional<SacctColumn> column =
        SacctColumns.ALL.stream().filter(c -> c.name().equalsIgnoreCase(parts[0])).findFirst();
    if (column.isEmpty() || (parts.length == 2 && !parts[1].matches("-?[1-9]\\d{0,3}"))) {
      throw new BadInput("Invalid field requested: \"" + word + "\"; sacct -e lists them");
    }
    return parts.length == 1 ? column.get() : column.get().wide(Integer.parseInt(parts[1]));
  }

  LineParts.Text text(List<SacctRow> rows, boolean noHeader) {
    return out -> {
      if (!noHeader) {
        out.accept(line(SacctColumn::name));
        out.accept(bar.isEmpty() ? underline() : "");
      }
      rows.forEach(row -> out.accept(line(column -> column.shown().apply(row).toString())));
    };
  }

  private String underline() {
    var line = new StringBuilder();
    columns.forEach(c -> line.append("-".repeat(Math.abs(c.width()))).append(' '));
    return line.append('\n').toString();
  }

  private String line(Function<SacctColumn, String> shown) {
    if (bar.isPresent()) {
      List<String> cells = columns.stream().map(shown).toList();
      return String.join(bar.get(), cells) + (barAtEnd ? bar.get() : "") + "\n";
    }
    var line = new StringBuilder();
    columns.forEach(c -> line.append(c.fit(shown.apply(c))).append(' '));
    return line.append('\n').toString();
  }
}
