package gflow.cli.frame;

import java.util.Comparator;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * What a listing can show of a row: a letter ({@code %i}) and a name for it, its head, and the
 * value. Rows are ordered by the value if it is a number, else by its text.
 */
public record Column<T>(
    char letter, String name, String header, Function<T, ?> value, Comparator<T> order) {
  /** For those that have no letter. */
  public static final char NONE = 0;

  public static <T> Column<T> column(
      char letter, String name, String header, Function<T, ?> value) {
    return new Column<>(
        letter, name, header, value, (a, b) -> compare(value.apply(a), value.apply(b)));
  }

  private static int compare(Object a, Object b) {
    return a instanceof Number x && b instanceof Number y
        ? Double.compare(x.doubleValue(), y.doubleValue())
        : a.toString().compareTo(b.toString());
  }

  /** The same in the order of a number that is not shown as such. */
  public Column<T> by(ToDoubleFunction<T> number) {
    return new Column<>(letter, name, header, value, Comparator.comparingDouble(number));
  }

  public String shown(T row) {
    return value.apply(row).toString();
  }
}
