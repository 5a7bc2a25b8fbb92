package gflow.cli.chart;

import java.util.List;

/** Points from left to right, each joined to the one before. */
public record Curve(String name, List<Point> points) {
  /** A {@code y} that is no number parts what is before from what is behind. */
  public record Point(double x, double y) {
    public static Point gap(double x) {
      return new Point(x, Double.NaN);
    }

    boolean known() {
      return !Double.isNaN(y);
    }
  }

  public Curve {
    points = List.copyOf(points);
  }
}
