package gflow.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.WaitingHouse;
import gflow.api.Answer;
import gflow.api.Gflow.Control;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the fuzzer found in the whole daemon, by name. */
class FoundTest {
  @TempDir Path folder;

  /** Seed 77: a job id is positive, and the exception was the loop's. */
  @Test
  void a_limit_for_a_job_below_zero_is_refused_and_the_loop_lives() throws Exception {
    try (var house = new WaitingHouse(folder)) {
      var service = house.service();
      for (String subject : new String[] {"-2147483648", "0", "", "99999999999999999999", "٣"}) {
        assertThat(service.control(new Control.SetLimit(subject, 3)))
            .isEqualTo(
                Answer.refused(
                    "a limit is set for a job (42), user:NAME or project:NAME, not for "
                        + subject));
      }
      assertThat(service.status()).isInstanceOf(Answer.Ok.class);
    }
  }
}
