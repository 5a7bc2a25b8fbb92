package gflow.cli.frame;

import gflow.script.value.BadInput;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** All columns that a listing has. */
public record Columns<T>(List<Column<T>> all) {
  public Columns {
    all = List.copyOf(all);
  }

  /** The column that a word means. */
  public interface Finder<T> {
    Column<T> find(String word) throws BadInput;
  }

  public Optional<Column<T>> byLetter(char letter) {
    return all.stream().filter(column -> column.letter() == letter).findFirst();
  }

  /** In any case. */
  public Optional<Column<T>> byName(String name) {
    return all.stream().filter(column -> column.name().equalsIgnoreCase(name)).findFirst();
  }

  public String letters() {
    return all.stream()
        .filter(column -> column.letter() != Column.NONE)
        .map(column -> "%" + column.letter())
        .collect(Collectors.joining(" "));
  }

  String names() {
    return all.stream().map(Column::name).collect(Collectors.joining(" "));
  }

  /** {@code -PRIORITY,JOBID}. Where nothing is said, rows stay as they are. */
  public static <T> Comparator<T> order(Optional<String> words, Finder<T> finder) throws BadInput {
    Comparator<T> order = (_, _) -> 0;
    for (String word : words.map(text -> List.of(text.split(",", -1))).orElse(List.of())) {
      boolean down = word.startsWith("-");
      Comparator<T> by =
          finder.find(down || word.startsWith("+") ? word.substring(1) : word).order();
      order = order.thenComparing(down ? by.reversed() : by);
    }
    return order;
  }
}
