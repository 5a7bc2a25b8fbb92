package gflow.cli.chart;

import java.util.List;

/** Some curves over the same axes. */
public record Chart(String title, Axis x, Axis y, List<Curve> curves) {
  public Chart {
    curves = List.copyOf(curves);
  }
}
