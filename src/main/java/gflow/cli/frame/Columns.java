package gflow.cli.frame;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** All columns that a listing has. */
public record Columns<T>(List<Column<T>> all) {
  public Columns {
    all = List.copyOf(all);
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
}
