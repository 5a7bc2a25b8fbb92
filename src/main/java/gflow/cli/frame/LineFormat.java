package gflow.cli.frame;

import gflow.script.value.BadInput;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a row becomes a line. As squeue's {@code -o}: {@code "%.18i %.9P %j"}: a letter is a column,
 * a number its width (longer text is cut), a dot puts it to the right; all else is printed as it
 * stands. Or as its {@code -O}: {@code "JobID:10,Name,State:.8"}, each 20 wide where nothing is
 * said.
 */
public final class LineFormat<T> {
  private static final Pattern NAMED = Pattern.compile("([A-Za-z/_-]+)(?::(\\.?)(\\d{0,4}))?");
  private static final int USUAL_WIDTH = 20;
  private static final int MOST_WIDTH = 10_000;

  private final List<Part<T>> parts;

  private LineFormat(List<Part<T>> parts) {
    this.parts = parts;
  }

  private sealed interface Part<T> {
    record Text<T>(String text) implements Part<T> {}

    record Cell<T>(Column<T> column, int width, boolean right) implements Part<T> {}
  }

  public static <T> LineFormat<T> parse(String format, Columns<T> columns) throws BadInput {
    var parts = new ArrayList<Part<T>>();
    for (int at = 0; at < format.length(); ) {
      if (format.charAt(at) != '%') {
        int end = format.indexOf('%', at);
        parts.add(new Part.Text<>(format.substring(at, end < 0 ? format.length() : end)));
        at = end < 0 ? format.length() : end;
      } else {
        at = cell(format, at + 1, columns, parts);
      }
    }
    return new LineFormat<>(parts);
  }

  /** Reads what follows a percent sign; returns where the rest begins. */
  private static <T> int cell(String format, int start, Columns<T> columns, List<Part<T>> parts)
      throws BadInput {
    int at = start;
    boolean right = at < format.length() && format.charAt(at) == '.';
    at += right ? 1 : 0;
    int width = 0;
    for (; at < format.length() && Character.isDigit(format.charAt(at)); at++) {
      width = Math.min(MOST_WIDTH, width * 10 + Character.digit(format.charAt(at), 10));
    }
    if (at == format.length()) {
      throw new BadInput("the format '" + format + "' ends after a %; a letter must follow");
    }
    char letter = format.charAt(at);
    if (letter == '%') {
      parts.add(new Part.Text<>("%"));
      return at + 1;
    }
    var column = columns.byLetter(letter);
    if (column.isEmpty()) {
      throw new BadInput("the format has no %" + letter + "; there are " + columns.letters());
    }
    parts.add(new Part.Cell<>(column.get(), width, right));
    return at + 1;
  }

  public static <T> LineFormat<T> named(String format, Columns<T> columns) throws BadInput {
    var parts = new ArrayList<Part<T>>();
    for (String word : format.split(",", -1)) {
      Matcher matcher = NAMED.matcher(word.strip());
      Optional<Column<T>> column =
          matcher.matches() ? columns.byName(matcher.group(1)) : Optional.empty();
      if (column.isEmpty()) {
        throw new BadInput("there is no field '" + word + "'; there are " + columns.names());
      }
      boolean said = matcher.group(3) != null && !matcher.group(3).isEmpty();
      int width = said ? Integer.parseInt(matcher.group(3)) : USUAL_WIDTH;
      parts.add(new Part.Cell<>(column.get(), width, ".".equals(matcher.group(2))));
    }
    return new LineFormat<>(parts);
  }

  /** The whole list; {@code above} stands over its head. */
  public LineParts.Text text(Collection<T> rows, boolean header, String above) {
    return out -> {
      out.accept(header ? above + line(Column::header) + "\n" : "");
      rows.forEach(row -> out.accept(line(row) + "\n"));
    };
  }

  public String line(T row) {
    return line(column -> column.shown(row));
  }

  private String line(Function<Column<T>, String> shown) {
    var line = new StringBuilder();
    for (Part<T> part : parts) {
      line.append(
          switch (part) {
            case Part.Text<T>(String text) -> text;
            case Part.Cell<T>(Column<T> column, int width, boolean right) ->
                fit(shown.apply(column), width, right);
          });
    }
    return line.toString();
  }

  public static String fit(String text, int width, boolean right) {
    int length = text.codePointCount(0, text.length());
    if (width == 0 || length == width) {
      return text;
    }
    if (length > width) {
      return text.substring(0, text.offsetByCodePoints(0, width));
    }
    String blanks = " ".repeat(width - length);
    return right ? blanks + text : text + blanks;
  }
}
