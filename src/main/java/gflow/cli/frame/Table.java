package gflow.cli.frame;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Rows under a header, each column as wide as its widest cell, the last one as long as it is. */
public final class Table {
  private static final String GAP = "    ";
  private static final int KEPT = 5_000;

  private final List<Supplier<List<Cell>>> rows = new ArrayList<>();
  private final List<Integer> widths = new ArrayList<>();

  /** What stands in one place; the colour is not counted as width. */
  public record Cell(String text, Paint paint) {
    public static Cell plain(String text) {
      return new Cell(text, Paint.PLAIN);
    }

    /** Names are the user's: what would move the cursor is shown as a question mark. */
    public Cell {
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        text = Character.isISOControl(c) ? text.replace(c, '?') : text;
      }
    }

    int width() {
      return text.codePointCount(0, text.length());
    }
  }

  /** No lambda: one that holds something takes the daemon as long to make as the cells do. */
  private record Made(List<Cell> get) implements Supplier<List<Cell>> {}

  public Table header(List<String> names) {
    return row(names.stream().map(Cell::plain).toList());
  }

  public Table row(List<Cell> cells) {
    return row(() -> cells);
  }

  /** The cells of a very long table are not kept, but made twice: to be measured, and printed. */
  public Table row(Supplier<List<Cell>> cells) {
    List<Cell> made = cells.get();
    measure(made);
    rows.add(rows.size() < KEPT ? new Made(made) : cells);
    return this;
  }

  public Table texts(String... cells) {
    return header(List.of(cells));
  }

  public String text(boolean colour) {
    var text = new StringBuilder();
    lines(colour, text::append);
    return text.toString();
  }

  public void lines(boolean colour, Consumer<String> out) {
    var line = new StringBuilder();
    for (Supplier<List<Cell>> made : rows) {
      List<Cell> row = made.get();
      line.setLength(0);
      for (int i = 0; i < row.size(); i++) {
        Cell cell = row.get(i);
        line.append(cell.paint().apply(cell.text(), colour));
        if (i < row.size() - 1) {
          line.repeat(' ', widths.get(i) - cell.width()).append(GAP);
        }
      }
      strip(line);
      out.accept(line.append('\n').toString());
    }
  }

  private static void strip(StringBuilder line) {
    int end = line.length();
    while (end > 0 && Character.isWhitespace(line.charAt(end - 1))) {
      end--;
    }
    line.setLength(end);
  }

  private void measure(List<Cell> row) {
    for (int i = 0; i < row.size(); i++) {
      if (i == widths.size()) {
        widths.add(0);
      }
      int width = row.get(i).width();
      if (width > widths.get(i)) {
        widths.set(i, width);
      }
    }
  }
}
