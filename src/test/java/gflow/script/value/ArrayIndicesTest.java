package gflow.script.value;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.script.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArrayIndicesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0-31|0-31|0|32",
        "1,5,7|1,5,7|0|3",
        "0-31:4%8|0,4,8,12,16,20,24,28|8|8",
        "7,1-3,2|1-3,7|0|4",
        "5|5|0|1",
        "1-4%2|1-4|2|4",
        "0-999999|0-999999|0|1000000",
      })
  void indices_and_limit_are_read(String text, String indices, int limit, int count)
      throws BadInput {
    ArrayIndices.Spec spec = ArrayIndices.parse(text);

    assertThat(spec.indices()).hasToString(indices);
    assertThat(spec.indices().size()).isEqualTo(count);
    assertThat(spec.limit()).isEqualTo(limit);
  }

  @Test
  void half_a_million_indices_with_a_step_are_read() throws BadInput {
    assertThat(ArrayIndices.parse("0-999998:2").indices().size()).isEqualTo(500_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"\"|is not understood",
        "a-b|is not understood",
        "1-|is not understood",
        "1,,2|is not understood",
        "-3|is not understood",
        "1:2|is not understood",
        "9-1|goes down from 9 to 1",
        "1-9:0|has a step of 0",
        "1-9%0|has a bad limit after %",
        "1-9%|has a bad limit after %",
        "1-9%x|has a bad limit after %",
      })
  void a_wrong_array_is_refused(String text, String what) {
    Refusal.of(
        () -> ArrayIndices.parse(text),
        "array '" + text + "' " + what + "; write 0-31, 1,5,7, 0-30:2 or 0-99%4");
  }

  /** One union for each of them took the square of their number. */
  @Test
  void two_hundred_thousand_single_indices_are_read() throws BadInput {
    var text = new StringBuilder("0");
    for (int i = 2; i < 400_000; i += 2) {
      text.append(',').append(i);
    }
    assertThat(ArrayIndices.parse(text.toString()).indices().size()).isEqualTo(200_000);
  }

  @Test
  void too_many_tasks_are_refused() {
    Refusal.of(
        () -> ArrayIndices.parse("0-1000000"),
        "array '0-1000000' has more than 1000000 tasks; split it");
  }
}
