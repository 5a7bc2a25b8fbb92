package gflow.cli.frame;

import gflow.script.grammar.Given;
import gflow.script.value.BadInput;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How a row becomes a line. As squeue's {@code -o}: {@code "%.18i %.9P %j"}: a letter is a column,
 * a number its width (longer text is cut), a dot puts it to the right; all else is printed as it
 * stands. Or as its {@code -O}: {@code "JobID:10,Name,State:.8"}, each 20 wide where nothing is
 * said.
 */
public final class LineFormat<T> {
  private static final Pattern LETTER = Pattern.compile("%(\\.?)(\\d*)(.?)", Pattern.DOTALL);
  private static final Pattern NAMED = Pattern.compile("([A-Za-z/_-]+)(?::(\\.?)(\\d{0,4}))?");
  private static final int USUAL_WIDTH = 20;
  private static final int MOST_WIDTH = 10_000;

  private final List<Part<T>> parts = new ArrayList<>();

  private LineFormat() {}

  /** What stands in a line for the columns as they are shown. */
  private interface Part<T> {
    String text(Function<Column<T>, String> shown);
  }

  public static <T> LineFormat<T> parse(String format, Columns<T> columns) throws BadInput {
    var line = new LineFormat<T>();
    Matcher matcher = LETTER.matcher(format);
    int at = 0;
    for (; matcher.find(); at = matcher.end()) {
      line.add(format.substring(at, matcher.start()));
      String letter = matcher.group(3);
      if (letter.isEmpty()) {
        throw new BadInput("the format '" + format + "' ends after a %; a letter must follow");
      }
      if (letter.equals("%")) {
        line.add("%");
        continue;
      }
      Optional<Column<T>> column = columns.byLetter(letter.charAt(0));
      if (column.isEmpty()) {
        throw new BadInput("the format has no %" + letter + "; there are " + columns.letters());
      }
      line.add(column.get(), matcher.group(2), 0, matcher.group(1));
    }
    line.add(format.substring(at));
    return line;
  }

  /** As {@code -O} says, else as {@code -o}, else as the letters that are usual. */
  public static <T> LineFormat<T> of(Given given, String usual, Columns<T> columns)
      throws BadInput {
    Optional<String> names = given.value("Format");
    return names.isPresent()
        ? named(names.get(), columns)
        : parse(given.value("format").orElse(usual), columns);
  }

  public static <T> LineFormat<T> named(String format, Columns<T> columns) throws BadInput {
    var line = new LineFormat<T>();
    for (String word : format.split(",", -1)) {
      Matcher matcher = NAMED.matcher(word.strip());
      Optional<Column<T>> column =
          matcher.matches() ? columns.byName(matcher.group(1)) : Optional.empty();
      if (column.isEmpty()) {
        throw new BadInput("there is no field '" + word + "'; there are " + columns.names());
      }
      line.add(column.get(), matcher.group(3), USUAL_WIDTH, matcher.group(2));
    }
    return line;
  }

  private void add(String text) {
    parts.add(_ -> text);
  }

  private void add(Column<T> column, @Nullable String width, int usual, @Nullable String dot) {
    boolean said = width != null && !width.isEmpty();
    int wide = said ? (int) Math.min(MOST_WIDTH, Double.parseDouble(width)) : usual;
    parts.add(shown -> fit(shown.apply(column), wide, ".".equals(dot)));
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
    return parts.stream().map(part -> part.text(shown)).collect(Collectors.joining());
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
