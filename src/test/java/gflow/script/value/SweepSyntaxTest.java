package gflow.script.value;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Sweep;
import gflow.script.Refusal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SweepSyntaxTest {
  private static List<String> values(String text) throws BadInput {
    return SweepSyntax.parameter(text).rows().stream().map(List::getFirst).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "lr=0.1,0.01|[0.1, 0.01]",
        "lr=1e-3|[1e-3]",
        "seed=1:5|[1, 2, 3, 4, 5]",
        "seed=3:1|[3, 2, 1]",
        "x=0:1:0.25|[0, 0.25, 0.5, 0.75, 1]",
        "x=0.1:0.7:0.2|[0.1, 0.3, 0.5, 0.7]",
        "x=1:0:-0.5|[1, 0.5, 0]",
        "x=0:1:0.4|[0, 0.4, 0.8]",
        "x=1e-3:3e-3:1e-3|[0.001, 0.002, 0.003]",
        "x=5:5|[5]",
        "x=-1:1|[-1, 0, 1]",
        "url=http://h:80|[http://h:80]",
        "t=1:2:3:4|[1:2:3:4]",
        "m=1:3,7|[1:3, 7]",
        "m=a, b |[a, b]",
        "m=\"a,b\",\"\",c=d|[a,b, , c=d]",
      })
  void values_are_a_list_or_a_range(String text, String values) throws BadInput {
    assertThat(values(text)).hasToString(values);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "lr|param 'lr' has no =; write lr=0.1,0.01 or seed=1:5",
        "lr=|param 'lr=' has no value; write lr=0.1,0.01 or seed=1:5",
        "lr=1,,2|param 'lr=1,,2' has an empty value; write \"\" if you want one",
        "=1|param '=1': '' is no name; use letters, digits and _, as in learning_rate",
        "a-b=1|param 'a-b=1': 'a-b' is no name; use letters, digits and _, as in learning_rate",
        "GFLOW_JOB_ID=1|param 'GFLOW_JOB_ID=1': gflow sets GFLOW_JOB_ID itself; take another name",
        "x=1:5:0|param 'x=1:5:0' has a step of 0; write seed=1:5 or x=0:1:0.25",
        "x=1:5:-1|param 'x=1:5:-1' never gets from 1 to 5; turn the sign of its step",
        "x=0:100000|param 'x=0:100000' has more than 100000 values; split it",
        "x=0:1:1e-300|param 'x=0:1:1e-300' has more than 100000 values; split it",
        "x=\"a|param 'x=\"a': a quote \" is not closed",
      })
  void a_wrong_parameter_is_refused(String text, String line) {
    Refusal.of(() -> SweepSyntax.parameter(text.replace("''", "'")), line);
  }

  @Test
  void a_file_with_mark_quotes_crlf_and_blank_lines_is_read() throws BadInput {
    String csv = "\uFEFFlr, note\r\n0.1,\"a, \"\"b\"\"\"\r\n\r\n0.2,\"two\r\nlines\"\r\n0.3, x y ";

    assertThat(SweepSyntax.file("grid.csv", csv.getBytes(UTF_8)))
        .isEqualTo(
            new Sweep.Factor(
                List.of("lr", "note"),
                List.of(
                    List.of("0.1", "a, \"b\""),
                    List.of("0.2", "two\nlines"),
                    List.of("0.3", "x y"))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "''|is empty; its first line must name the parameters: lr,seed",
        "a,b|has no row after its header; add one for each task",
        "a,b~1,2~~3|line 4: 2 values wanted as in the header, but there are 1",
        "a,b~1,2,3|line 2: 2 values wanted as in the header, but there are 3",
        "a,1b~1,2|line 1: '1b' is no name; use letters, digits and _, as in learning_rate",
        "a~\"x~y|line 2: a quote \" is not closed",
        "a~\"x\"y|line 2: text after a closing quote; write \"\" for a quote",
        "a~\"x~y\"~1,2|line 4: 1 values wanted as in the header, but there are 2",
      })
  void a_wrong_file_is_refused_with_its_line(String text, String what) {
    Refusal.of(
        () -> SweepSyntax.file("grid.csv", text.replace('~', '\n').getBytes(UTF_8)),
        "param file 'grid.csv' " + what);
  }

  @Test
  void a_file_that_is_no_text_is_refused() {
    Refusal.of(
        () -> SweepSyntax.file("g", new byte[] {'a', '\n', (byte) 0xff}),
        "param file 'g' is no UTF-8 text; save it as CSV in UTF-8");
    Refusal.of(
        () -> SweepSyntax.file("g", new byte[] {'a', '\n', 0}),
        "param file 'g' is no text; save it as CSV");
  }

  @Test
  void factors_make_a_product_in_which_each_name_comes_once() throws BadInput {
    Sweep.Factor lr = SweepSyntax.parameter("lr=1,2");
    Sweep.Factor big = SweepSyntax.parameter("x=1:100000");

    assertThat(SweepSyntax.of(List.of(lr, big)).size()).isEqualTo(200_000);
    Refusal.of(
        () -> SweepSyntax.of(List.of(lr, lr)), "parameter 'lr' is given twice; name it once");
    Refusal.of(
        () -> SweepSyntax.of(List.of(big, SweepSyntax.parameter("y=1:100000"))),
        "the sweep has more than 1000000 combinations; split it");
  }
}
