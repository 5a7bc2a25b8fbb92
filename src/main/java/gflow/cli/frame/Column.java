package gflow.cli.frame;

import java.util.Comparator;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * What a listing can show of a row: a letter ({@code %i}) and a name for it, and its head. Rows are
 * ordered by what is shown, or by the number behind it.
 */
public record Column<T>(
    char letter, String name, String header, Function<T, String> shown, Comparator<T> order) {
  /** For those that have no letter. */
  public static final char NONE = 0;

  public static <T> Column<T> column(
      char letter, String name, String header, Function<T, String> shown) {
    return new Column<>(letter, name, header, shown, Comparator.comparing(shown));
  }

  /** A column of a number, which text would put into a wrong order. */
  public Column<T> by(ToDoubleFunction<T> number) {
    return new Column<>(letter, name, header, shown, Comparator.comparingDouble(number));
  }
}
