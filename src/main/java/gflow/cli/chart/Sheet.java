package gflow.cli.chart;

import java.util.List;

/** Charts in rows, side by side where there is room. */
public record Sheet(String title, List<List<Chart>> rows) {
  private static final int NARROW = 34;
  private static final int HEIGHT = 24;
  private static final int LOW = 4;
  private static final int HIGH = 12;
  private static final int GAP = 2;

  public Sheet {
    rows = rows.stream().map(List::copyOf).toList();
  }

  /** For a terminal that is so wide. */
  public String text(int columns, boolean colour) {
    int height = Math.clamp(HEIGHT / rows.size(), LOW, HIGH);
    var text = new StringBuilder(title).append('\n');
    for (List<Chart> row : rows) {
      int width = (columns + GAP) / row.size() - GAP;
      if (width >= NARROW) {
        beside(text, row.stream().map(c -> TextChart.lines(c, width, height, colour)).toList());
      } else {
        row.forEach(c -> beside(text, List.of(TextChart.lines(c, columns, height, colour))));
      }
    }
    return text.toString();
  }

  private static void beside(StringBuilder text, List<List<TextChart.Line>> charts) {
    for (int i = 0; i < charts.getFirst().size(); i++) {
      var line = new StringBuilder();
      for (List<TextChart.Line> chart : charts) {
        line.append(chart.get(i).padded()).repeat(' ', GAP);
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
  }

  /** A picture. */
  public String svg() {
    return SvgChart.picture(this);
  }
}
