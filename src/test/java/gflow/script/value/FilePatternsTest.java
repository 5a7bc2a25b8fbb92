package gflow.script.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FilePatternsTest {
  private static final FilePatterns.Values TASK =
      new FilePatterns.Values(49, 42, OptionalInt.of(7), "a/b$1", "eva", "box");

  @ParameterizedTest
  @CsvSource({
    "slurm-%j.out, slurm-49.out",
    "%A_%a, 42_7",
    "%x-%u-%N, a_b$1-eva-box",
    "%n%t%s, 00batch",
    "%J, 49",
    "100%%, 100%",
    "%%j, %j",
    "%5j, 00049",
    "%3a, 007",
    "%1j, 49",
    "%99j, 0000000049",
    "%9x, a_b$1",
    "%z-%k, %z-%k",
    "%, %",
    "50% of, 50% of",
  })
  void fields_are_replaced_and_unknown_ones_kept(String pattern, String name) {
    assertThat(FilePatterns.expand(pattern, TASK)).isEqualTo(name);
  }

  @Test
  void without_an_array_the_index_is_slurms_number_for_none() {
    var plain = new FilePatterns.Values(42, 42, OptionalInt.empty(), "n", "u", "h");

    assertThat(FilePatterns.expand("%A_%a", plain)).isEqualTo("42_4294967294");
  }

  @Test
  void a_task_of_a_step_has_the_numbers_of_both() {
    var step = Optional.of(new FilePatterns.StepTask(3, 12));
    var task = new FilePatterns.Values(42, 42, OptionalInt.empty(), "n", "u", "h", step);

    assertThat(FilePatterns.expand("%J-%s-%3t-%n-%%t", task)).isEqualTo("42.3-3-012-0-%t");
  }
}
