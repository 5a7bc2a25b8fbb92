package gflow.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class GraceTest {
  private static final Grace UNSET = new Grace(Optional.empty());
  private static final Grace SET = new Grace(Optional.of(Duration.ofSeconds(2)));

  private static JobSpec spec(Map<String, String> options, Optional<Duration> grace) {
    return Jobs.spec(JobSpec.Tasks.ONE, Jobs.terms(0, false))
        .withAsked(new RequestedOptions(new TreeMap<>(options), Optional.empty(), grace));
  }

  @Test
  void a_script_for_slurm_has_slurms_time_unless_somebody_says_otherwise() {
    JobSpec ours = spec(Map.of(), Optional.empty());
    JobSpec slurms = spec(Map.of("slurm", ""), Optional.empty());
    JobSpec asked = spec(Map.of("slurm", ""), Optional.of(Duration.ofMinutes(2)));

    assertThat(UNSET.of(ours)).isEqualTo(Duration.ofSeconds(10));
    assertThat(UNSET.of(slurms)).isEqualTo(Duration.ofSeconds(30));
    assertThat(SET.of(slurms)).isEqualTo(Duration.ofSeconds(2));
    assertThat(SET.of(asked)).isEqualTo(Duration.ofMinutes(2));
  }
}
