package gflow.script.value;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.JobState;
import gflow.script.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StateNamesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "RUNNING|[RUNNING]",
        "r|[RUNNING]",
        "Running,Queued|[PENDING, RUNNING]",
        "oom,OUT_OF_MEMORY,OutOfMemory|[OUT_OF_MEMORY]",
        "Finished|[COMPLETED]",
        "cd, f ,CA,to,NF,cg|[COMPLETING, COMPLETED, FAILED, CANCELLED, TIMEOUT, NODE_FAIL]",
        "canceled|[CANCELLED]",
      })
  void states_are_read_in_any_case(String text, String states) throws BadInput {
    assertThat(StateNames.parse(text).states()).hasToString(states);
  }

  @Test
  void all_are_all() throws BadInput {
    assertThat(StateNames.parse("all").states()).containsExactly(JobState.values());
  }

  @ParameterizedTest
  @CsvSource({
    "PD, true, true",
    "Queued, false, true",
    "Hold, true, false",
    "'R,H', true, false",
    "'H,PD', true, true",
    "all, true, true",
    "R, false, false",
  })
  void held_jobs_are_told_from_those_that_wait(String text, boolean held, boolean waiting)
      throws BadInput {
    StateNames.Filter filter = StateNames.parse(text);

    assertThat(filter.fits(JobState.PENDING, true)).isEqualTo(held);
    assertThat(filter.fits(JobState.PENDING, false)).isEqualTo(waiting);
  }

  @ParameterizedTest
  @CsvSource({"XX, XX", "'R,,F', ''", "runing, runing"})
  void an_unknown_state_is_refused_with_the_list(String text, String word) {
    Refusal.of(
        () -> StateNames.parse(text),
        "there is no state '"
            + word
            + "'; the states are PENDING RUNNING COMPLETING COMPLETED FAILED CANCELLED TIMEOUT"
            + " OUT_OF_MEMORY NODE_FAIL (PD R CG CD F CA TO OOM NF), H for held, all");
  }
}
