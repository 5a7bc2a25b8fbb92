package gflow.cli.chart;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.cli.chart.Axis.Scale;
import gflow.cli.chart.Curve.Point;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code -Dgolden.write=true} draws the charts of src/test/resources/golden/charts anew. */
class SheetTest {
  private static final Path GOLDEN = Path.of("src/test/resources/golden/charts");

  private static void check(String name, String actual) throws IOException {
    Path file = GOLDEN.resolve(name);
    if (Boolean.getBoolean("golden.write")) {
      Files.writeString(Files.createDirectories(GOLDEN).resolve(name), actual);
    }
    assertThat(actual).isEqualTo(Files.readString(file));
  }

  private static Curve curve(String name, DoubleUnaryOperator height) {
    return new Curve(
        name,
        IntStream.rangeClosed(1, 32).mapToObj(x -> new Point(x, height.applyAsDouble(x))).toList());
  }

  /** How the rate of a GPU goes with the number of its clients, in two ways of sharing. */
  private static Sheet rates() {
    var chart =
        new Chart(
            "rate, <items/s> & such",
            Axis.to("clients", 32, Scale.NUMBER),
            Axis.over("", 940, Scale.NUMBER),
            List.of(
                curve("time slices", x -> 400 * (1 - Math.exp(-x / 4))),
                curve("MPS", x -> 940 * (1 - Math.exp(-x / 9)))));
    return new Sheet("Rates", List.of(List.of(chart)));
  }

  private static Sheet row(List<Point> points) {
    Axis time = Axis.to("", 5400, Scale.TIME);
    var use = new Curve("use", points);
    Axis percent = Axis.over("", 100, Scale.PERCENT);
    Axis bytes = Axis.over("", 11e9, Scale.BYTES);
    List<Point> steady = points.stream().map(p -> new Point(p.x(), p.y() * 1e8)).toList();
    return new Sheet(
        "A job",
        List.of(
            List.of(
                new Chart("use", time, percent, List.of(use)),
                new Chart("memory", time, bytes, List.of(new Curve("m", steady))))));
  }

  private static final List<Point> PARTED =
      List.of(
          new Point(0, 0),
          new Point(600, 100),
          new Point(1800, 100),
          Point.gap(1801),
          new Point(2700, 50),
          Point.gap(2701),
          new Point(3600, 0),
          new Point(5400, 75));

  @Test
  void curves_in_text() throws IOException {
    check("rates.txt", rates().text(72, false));
    check("side-by-side.txt", row(PARTED).text(80, false));
    check("narrow.txt", row(PARTED).text(40, false));
  }

  @Test
  void curves_in_a_picture() throws IOException {
    check("rates.svg", rates().svg());
    check("side-by-side.svg", row(PARTED).svg());
  }

  @Test
  void no_line_is_wider_than_the_terminal_and_colours_take_no_room() {
    for (int columns : List.of(20, 33, 71, 80, 200)) {
      for (Sheet sheet : List.of(rates(), row(PARTED), row(List.of()))) {
        String plain = sheet.text(columns, false);
        assertThat(plain.lines().skip(1)).allMatch(line -> line.length() <= columns);
        assertThat(plain).doesNotContain("\u001b");
      }
      String painted = row(PARTED).text(columns, true);
      assertThat(painted).contains("\u001b[32m");
      assertThat(shape(painted)).isEqualTo(shape(row(PARTED).text(columns, false)));
    }
  }

  private static List<Integer> shape(String text) {
    return text.lines().map(l -> l.replaceAll("\u001b\\[\\d+m", "").length()).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "NUMBER, 940, '[0, 500, 1000]'",
    "NUMBER, 0.07, '[0, 0.05, 0.1]'",
    "NUMBER, 32, '[0, 20, 40]'",
    "PERCENT, 100, '[0%, 50%, 100%]'",
    "BYTES, 1048576, '[0, 512K, 1M]'",
    "BYTES, 33500000000, '[0, 16G, 32G]'",
    "TIME, 50, '[0:00, 0:20, 0:40, 1:00]'",
    "TIME, 3723, '[0:00, 30:00, 1:00:00, 1:30:00]'",
    "TIME, 1000000, '[0:00, 5-00:00:00, 10-00:00:00, 15-00:00:00]'"
  })
  void ticks_are_at_round_numbers(Scale scale, double most, String ticks) {
    Axis axis = Axis.over("", most, scale);
    assertThat(axis.ticks().stream().map(Axis.Tick::label).toList()).hasToString(ticks);
    assertThat(axis.to()).isGreaterThanOrEqualTo(most);
  }
}
