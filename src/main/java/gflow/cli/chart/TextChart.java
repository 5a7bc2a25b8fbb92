package gflow.cli.chart;

import gflow.cli.chart.Curve.Point;
import gflow.cli.frame.Paint;
import java.util.ArrayList;
import java.util.List;

/**
 * A chart in characters, each of which has two by four dots. Where several curves have no colours,
 * each is drawn by a letter.
 */
final class TextChart {
  private static final int WIDE = 2;
  private static final int TALL = 4;
  private static final int BRAILLE = 0x2800;
  private static final int[][] DOTS = {{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}};
  private static final List<Paint> PAINTS =
      List.of(Paint.GREEN, Paint.YELLOW, Paint.RED, Paint.BOLD, Paint.PLAIN);

  private final Chart chart;
  private final int columns;
  private final int rows;
  private final int margin;
  private final boolean colour;
  private final int[][] dots;
  private final int[][] curves;

  /** A line of text that counts for so many columns, whatever colours are in it. */
  record Line(String text, int width, int columns) {
    String padded() {
      return text + " ".repeat(Math.max(0, columns - width));
    }
  }

  private TextChart(Chart chart, int columns, int rows, boolean colour) {
    this.chart = chart;
    this.rows = rows;
    this.colour = colour;
    margin = chart.y().ticks().stream().mapToInt(t -> t.label().length()).max().orElse(0);
    this.columns = columns - margin - 1;
    dots = new int[rows][this.columns];
    curves = new int[rows][this.columns];
  }

  /** A title, so many rows, and the labels below. */
  static List<Line> lines(Chart chart, int columns, int rows, boolean colour) {
    var drawn = new TextChart(chart, columns, rows, colour);
    for (int i = 0; i < chart.curves().size(); i++) {
      drawn.draw(i, chart.curves().get(i).points());
    }
    return drawn.lines();
  }

  private void draw(int curve, List<Point> points) {
    Point before = null;
    for (Point point : points) {
      if (point.known()) {
        line(curve, before == null || !before.known() ? point : before, point);
      }
      before = point;
    }
  }

  private void line(int curve, Point from, Point to) {
    int x = chart.x().place(from.x(), columns * WIDE);
    int y = chart.y().place(from.y(), rows * TALL);
    int dx = chart.x().place(to.x(), columns * WIDE) - x;
    int dy = chart.y().place(to.y(), rows * TALL) - y;
    int steps = Math.max(1, Math.max(Math.abs(dx), Math.abs(dy)));
    for (int i = 0; i <= steps; i++) {
      dot(curve, x + Math.round((float) dx * i / steps), y + Math.round((float) dy * i / steps));
    }
  }

  private void dot(int curve, int x, int y) {
    int down = rows * TALL - 1 - y;
    dots[down / TALL][x / WIDE] |= DOTS[x % WIDE][down % TALL];
    curves[down / TALL][x / WIDE] = curve;
  }

  private List<Line> lines() {
    var lines = new ArrayList<Line>();
    lines.add(title());
    for (int row = 0; row < rows; row++) {
      lines.add(row(row));
    }
    lines.add(labels());
    return lines;
  }

  private Line title() {
    var text = new StringBuilder(" ".repeat(margin + 1));
    int width = text.length() + cut(text, chart.title(), columns, Paint.PLAIN);
    for (int i = 0; several() && i < chart.curves().size(); i++) {
      String name = chart.curves().get(i).name();
      String shown = "  " + (colour ? name : letter(i) + "=" + name);
      int room = margin + 1 + columns - width;
      width += cut(text, shown, room, PAINTS.get(i % PAINTS.size()));
    }
    return line(text, width);
  }

  /** Writes as much of it as there is room for, and says how much that was. */
  private int cut(StringBuilder text, String words, int room, Paint paint) {
    String shown = words.substring(0, Math.min(words.length(), room));
    text.append(shown.isEmpty() ? "" : paint.apply(shown, colour));
    return shown.length();
  }

  private boolean several() {
    return chart.curves().size() > 1;
  }

  private static char letter(int curve) {
    return (char) ('a' + curve);
  }

  private Line row(int row) {
    String label = "";
    for (Axis.Tick tick : chart.y().ticks()) {
      int place = chart.y().place(tick.at(), rows * TALL);
      label = rows - 1 - place / TALL == row ? tick.label() : label;
    }
    var text = new StringBuilder(" ".repeat(margin - label.length())).append(label);
    text.append(label.isEmpty() ? '│' : '┤');
    for (int column = 0; column < columns; column++) {
      Paint paint = PAINTS.get(curves[row][column] % PAINTS.size());
      String cell = String.valueOf(cell(row, column));
      text.append(cell.isBlank() ? cell : paint.apply(cell, colour));
    }
    return line(text, margin + 1 + columns);
  }

  private char cell(int row, int column) {
    if (dots[row][column] == 0) {
      return ' ';
    }
    return several() && !colour
        ? letter(curves[row][column])
        : (char) (BRAILLE + dots[row][column]);
  }

  /** The axis itself, with the labels that have room in it, and its name at the end. */
  private Line labels() {
    var axis = new StringBuilder("─".repeat(columns));
    String name = chart.x().name().isEmpty() ? "" : " " + chart.x().name();
    int room = columns - name.length();
    axis.replace(room, columns, name);
    int free = 0;
    for (Axis.Tick tick : chart.x().ticks()) {
      int length = tick.label().length();
      int at = Math.min(chart.x().place(tick.at(), columns), room - length);
      if (at >= free) {
        axis.replace(at, at + length, tick.label());
        free = at + length + 1;
      }
    }
    var text = new StringBuilder(" ".repeat(margin)).append('└').append(axis);
    return line(text, text.length());
  }

  private Line line(StringBuilder text, int width) {
    return new Line(text.toString(), width, margin + 1 + columns);
  }
}
