package gflow.cli.frame;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.cli.frame.Table.Cell;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TableTest {
  @Test
  void columns_are_as_wide_as_their_widest_cell_and_lines_end_without_blanks() {
    var table = new Table().texts("A", "LONG", "C").texts("wide", "x", "").texts("ü", "y", "z");

    assertThat(table.text(false)).isEqualTo("A       LONG    C\nwide    x\nü       y       z\n");
  }

  @Test
  void colour_takes_no_width_and_only_where_it_is_wanted() {
    var table =
        new Table().row(List.of(new Cell("R", Paint.GREEN), Cell.plain("x"))).texts("PD", "y");

    assertThat(table.text(true)).isEqualTo("\u001b[32mR\u001b[0m     x\nPD    y\n");
    assertThat(table.text(false)).isEqualTo("R     x\nPD    y\n");
  }

  @Test
  void a_name_cannot_move_the_cursor() {
    assertThat(new Table().texts("a\u001b[2Jb\nc").text(false)).isEqualTo("a?[2Jb?c\n");
  }

  @ParameterizedTest
  @CsvSource({"5, 0:05", "62, 1:02", "3723, 1:02:03", "93784, 1-02:03:04", "0, 0:00"})
  void a_span_of_time_is_written_as_slurm_does(long seconds, String expected) {
    assertThat(JobText.span(seconds)).isEqualTo(expected);
  }
}
