package gflow.cli.frame;

import java.util.function.Function;

/** What a listing can show of a row: a letter ({@code %i}) and a name for it, and its head. */
public record Column<T>(char letter, String name, String header, Function<T, String> shown) {
  /** For those that have no letter. */
  public static final char NONE = 0;

  public static <T> Column<T> of(
      char letter, String name, String header, Function<T, String> shown) {
    return new Column<>(letter, name, header, shown);
  }

  /** A column whose head is its name in upper case. */
  static <T> Column<T> of(char letter, String name, Function<T, String> shown) {
    return new Column<>(letter, name, name.toUpperCase(java.util.Locale.ROOT), shown);
  }
}
