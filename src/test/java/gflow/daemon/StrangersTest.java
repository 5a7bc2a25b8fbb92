package gflow.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.gpu.GpuProcess;
import gflow.gpu.GpuReading;
import gflow.job.GpuId;
import gflow.plan.Limits;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A process of ours is at home on the cards of its job, and a stranger on one that came back. */
class StrangersTest {
  private static final GpuId CARD = new GpuId("GPU-3");
  private static final GpuId OTHER = new GpuId("GPU-4");

  private Process process;

  @BeforeEach
  void start() throws Exception {
    var builder = new ProcessBuilder("sleep", "60");
    builder.environment().put("GFLOW_MARK", "ours-42.1");
    process = builder.start();
  }

  @AfterEach
  void stop() {
    process.destroyForcibly();
  }

  private boolean stranger(String mark, Map<String, List<GpuId>> places) {
    var rules = new GpuWatch.Rules(0, List.of(), List.of(), mark);
    var seen = new GpuProcess(process.pid(), "ann", "python", OptionalLong.of(1L << 30));
    var reading =
        new GpuReading(
            CARD,
            OptionalLong.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            List.of(seen),
            Optional.empty());
    return new Strangers(rules)
        .on(List.of(reading), Controls.none(Limits.NONE), places)
        .containsKey(CARD);
  }

  @Test
  void who_carries_our_mark_is_at_home_and_others_are_not() {
    assertThat(stranger("ours", Map.of())).isFalse();
    assertThat(stranger("theirs", Map.of())).isTrue();
    assertThat(stranger("our", Map.of())).isTrue();
  }

  @Test
  void on_a_card_that_its_job_gave_back_it_is_a_stranger() {
    assertThat(stranger("ours", Map.of("42.1", List.of(CARD, OTHER)))).isFalse();
    assertThat(stranger("ours", Map.of("42.1", List.of(OTHER)))).isTrue();
    assertThat(stranger("ours", Map.of("42.10", List.of(OTHER)))).isFalse();
  }
}
