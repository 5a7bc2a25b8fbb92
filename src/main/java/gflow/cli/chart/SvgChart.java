package gflow.cli.chart;

import gflow.cli.chart.Curve.Point;
import java.util.List;
import java.util.Locale;

/** A sheet as a picture, of plain lines and texts. */
final class SvgChart {
  private static final int WIDTH = 960;
  private static final int HEAD = 40;
  private static final int HEIGHT = 200;
  private static final int ALONE = 420;
  private static final int LEFT = 64;
  private static final int RIGHT = 24;
  private static final int TOP = 32;
  private static final int BOTTOM = 28;

  /** Nobody can measure a text here: letters are about so wide. */
  private static final int LETTER = 7;

  private static final List<String> COLOURS =
      List.of("#1a7f37", "#0969da", "#bc4c00", "#8250df", "#57606a");

  private final StringBuilder out = new StringBuilder();

  private SvgChart() {}

  static String picture(Sheet sheet) {
    return new SvgChart().draw(sheet);
  }

  private String draw(Sheet sheet) {
    boolean alone = sheet.rows().size() == 1 && sheet.rows().getFirst().size() == 1;
    int height = alone ? ALONE : HEIGHT;
    int all = HEAD + height * sheet.rows().size();
    out.append("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d'".formatted(WIDTH, all));
    out.append(" font-family='sans-serif' font-size='12' fill='#24292f'>\n");
    out.append("<rect width='%d' height='%d' fill='white'/>\n".formatted(WIDTH, all));
    text(LEFT, HEAD - 14, "start' font-size='16", sheet.title());
    for (int row = 0; row < sheet.rows().size(); row++) {
      List<Chart> charts = sheet.rows().get(row);
      for (int i = 0; i < charts.size(); i++) {
        int width = WIDTH / charts.size();
        chart(charts.get(i), new Box(i * width, HEAD + row * height, width, height));
      }
    }
    return out.append("</svg>\n").toString();
  }

  /** Where a chart is. */
  private record Box(int left, int top, int width, int height) {
    double x(Axis axis, double value) {
      return left + LEFT + value / axis.to() * (width - LEFT - RIGHT);
    }

    double y(Axis axis, double value) {
      return top + height - BOTTOM - value / axis.to() * (height - TOP - BOTTOM);
    }
  }

  private void chart(Chart chart, Box box) {
    text(box.left() + LEFT, box.top() + TOP - 10, "start' font-weight='bold", chart.title());
    double right = box.x(chart.x(), chart.x().to());
    double bottom = box.y(chart.y(), 0);
    for (Axis.Tick tick : chart.y().ticks()) {
      double y = box.y(chart.y(), tick.at());
      line(box.left() + LEFT, y, right, y);
      text(box.left() + LEFT - 6, y + 4, "end", tick.label());
    }
    for (Axis.Tick tick : chart.x().ticks()) {
      double x = box.x(chart.x(), tick.at());
      line(x, bottom, x, bottom + 4);
      text(x, bottom + 18, "middle", tick.label());
    }
    text(right, bottom - 6, "end", chart.x().name());
    double left = right;
    for (int i = chart.curves().size() - 1; i >= 0; i--) {
      Curve curve = chart.curves().get(i);
      String colour = COLOURS.get(i % COLOURS.size());
      curve(chart, curve, box, colour);
      if (chart.curves().size() > 1) {
        text(left, box.top() + TOP - 10, "end' fill='" + colour, curve.name());
        left -= LETTER * (curve.name().length() + 2);
      }
    }
  }

  /** A point that stands alone is a line of no length, which its round ends show. */
  private void curve(Chart chart, Curve curve, Box box, String colour) {
    out.append("<path fill='none' stroke='%s' stroke-width='2'".formatted(colour));
    out.append(" stroke-linecap='round' d='");
    boolean joined = false;
    for (Point point : curve.points()) {
      if (point.known()) {
        String place = place(box.x(chart.x(), point.x()), box.y(chart.y(), point.y()));
        out.append(joined ? "L" + place : "M" + place + "h0");
      }
      joined = point.known();
    }
    out.append("'/>\n");
  }

  private void line(double x1, double y1, double x2, double y2) {
    String path = "M" + place(x1, y1) + "L" + place(x2, y2);
    out.append("<path stroke='#d0d7de' d='%s'/>\n".formatted(path));
  }

  /** {@code anchor}: with what else is to be said of it. */
  private void text(double x, double y, String anchor, String words) {
    String safe = words.replace("&", "&amp;").replace("<", "&lt;");
    if (!words.isEmpty()) {
      out.append("<text transform='translate(%s)'".formatted(place(x, y)));
      out.append(" text-anchor='%s'>%s</text>\n".formatted(anchor, safe));
    }
  }

  private static String place(double x, double y) {
    return String.format(Locale.ROOT, "%.1f %.1f", x, y);
  }
}
