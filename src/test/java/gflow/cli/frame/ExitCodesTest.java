package gflow.cli.frame;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.api.SampleViews;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExitCodesTest {
  @ParameterizedTest
  @CsvSource({
    "COMPLETED, 0, 0, 0",
    "FAILED, 3, 0, 3",
    "FAILED, 0, 11, 139",
    "FAILED, 0, 0, 1",
    "TIMEOUT, 0, 15, 124",
    "CANCELLED, 0, 15, 130",
    "OUT_OF_MEMORY, 0, 9, 137",
    "OUT_OF_MEMORY, 0, 0, 137",
    "NODE_FAIL, 0, 0, 1",
    "SOMETHING_NEW, 0, 0, 1",
  })
  void the_exit_code_says_how_the_job_ended(String state, long code, long signal, int expected) {
    var job = SampleViews.job("job_id", 1L, "state", state, "exit_code", code, "signal", signal);

    assertThat(ExitCodes.code(job)).isEqualTo(expected);
  }

  @Test
  void of_an_array_the_highest_counts() {
    var good = SampleViews.job("job_id", 1L, "state", "COMPLETED");
    var bad = SampleViews.job("job_id", 2L, "state", "FAILED", "exit_code", 2L);
    var late = SampleViews.job("job_id", 3L, "state", "TIMEOUT");

    assertThat(ExitCodes.code(List.of(good, late, bad))).isEqualTo(124);
    assertThat(ExitCodes.code(List.of())).isZero();
  }
}
