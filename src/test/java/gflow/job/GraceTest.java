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

  private static JobSpec spec(Map<String, String> labels) {
    return Jobs.spec(JobSpec.Tasks.ONE, Jobs.terms(0, false)).withLabels(new TreeMap<>(labels));
  }

  @Test
  void a_script_for_slurm_has_slurms_time_unless_somebody_says_otherwise() {
    JobSpec ours = spec(Map.of());
    JobSpec slurms = spec(Map.of(JobSpec.SPEAKS, "slurm"));
    JobSpec asked = spec(Map.of(JobSpec.SPEAKS, "slurm", Grace.LABEL, "120"));

    assertThat(UNSET.of(ours)).isEqualTo(Duration.ofSeconds(10));
    assertThat(UNSET.of(slurms)).isEqualTo(Duration.ofSeconds(30));
    assertThat(SET.of(slurms)).isEqualTo(Duration.ofSeconds(2));
    assertThat(SET.of(asked)).isEqualTo(Duration.ofMinutes(2));
  }
}
