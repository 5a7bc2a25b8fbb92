package gflow.map.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResultLineTest {
  private static ResultLine printed(String text) {
    return new ResultLine(Map.of("stdout", text));
  }

  @Test
  void an_object_that_a_program_prints_has_its_fields_as_a_workers_answer_has() {
    var answer = new ResultLine(Map.of("value", Map.of("energy", -1.5)));
    assertThat(answer.values()).containsExactly(Map.entry("energy", "-1.5"));
    assertThat(answer.rest()).isEmpty();
    for (String text : new String[] {"{\"energy\": -1.5}\n", "{\n \"energy\":\n-1.5}\n"}) {
      assertThat(printed(text).values()).isEqualTo(answer.values());
      assertThat(printed(text).rest()).isEmpty();
    }
  }

  @Test
  void it_may_be_the_last_of_several_lines_and_these_stay() {
    var line = printed("step 1\n{\"energy\": -1.5}\n");
    assertThat(line.values()).containsExactly(Map.entry("energy", "-1.5"));
    assertThat(line.rest()).isEqualTo("step 1\n{\"energy\": -1.5}");
  }

  @ParameterizedTest
  @CsvSource({"-1.5", "{half", "[1]", "''"})
  void anything_else_is_as_it_was_printed(String text) {
    assertThat(printed(text).values()).isEmpty();
    assertThat(printed(text).rest()).isEqualTo(text);
  }

  @Test
  void a_cause_is_one_line() {
    assertThat(Result.summary("exit code 3")).isEqualTo("exit code 3");
    assertThat(Result.summary("ValueError: no\nTraceback (most recent call last):\n  x"))
        .isEqualTo("ValueError: no");
    assertThat(Result.summary("\nTraceback (most recent call last):\n  x\nValueError: no\n"))
        .isEqualTo("ValueError: no");
    assertThat(Result.summary(" ")).isEmpty();
  }
}
