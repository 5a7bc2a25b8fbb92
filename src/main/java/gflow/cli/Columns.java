package gflow.cli;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** All columns that a listing has. */
record Columns<T>(List<Column<T>> all) {
  Columns {
    all = List.copyOf(all);
  }

  Optional<Column<T>> byLetter(char letter) {
    return all.stream().filter(column -> column.letter() == letter).findFirst();
  }

  /** In any case. */
  Optional<Column<T>> byName(String name) {
    return all.stream().filter(column -> column.name().equalsIgnoreCase(name)).findFirst();
  }

  String letters() {
    return all.stream()
        .filter(column -> column.letter() != Column.NONE)
        .map(column -> "%" + column.letter())
        .collect(Collectors.joining(" "));
  }

  String names() {
    return all.stream().map(Column::name).collect(Collectors.joining(" "));
  }
}
