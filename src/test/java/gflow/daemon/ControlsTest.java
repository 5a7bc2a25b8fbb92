package gflow.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.GpuId;
import gflow.json.RecordJson;
import gflow.plan.Limits;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ControlsTest {
  private static final Controls NONE = Controls.none(Limits.NONE);

  static List<Controls> said() {
    var limits =
        new Limits(
            Limits.Cap.ofTasks(4),
            new TreeMap<>(Map.of("ann", Limits.Cap.ofGpus(1))),
            new TreeMap<>(Map.of("p", Limits.Cap.NONE)));
    return List.of(
        NONE,
        NONE.withAllowed(Optional.of(List.of())),
        NONE.withAllowed(Optional.of(List.of(0, 2))),
        NONE.withDrained(new TreeMap<>(Map.of("GPU-1", "hot \"fan\"", "GPU-2", ""))),
        NONE.withLimits(limits),
        NONE.withIgnored(List.of("gdm"), List.of("Xorg", "a b")));
  }

  @ParameterizedTest
  @MethodSource("said")
  void what_the_operator_said_outlives_the_daemon(Controls controls) throws Exception {
    assertThat(RecordJson.read(Controls.class, RecordJson.write(controls))).isEqualTo(controls);
  }

  @Test
  void nothing_said_allows_every_card_and_an_empty_list_none() {
    assertThat(NONE.allows(3)).isTrue();
    assertThat(NONE.withAllowed(Optional.of(List.of())).allows(3)).isFalse();
    assertThat(NONE.withAllowed(Optional.of(List.of(3))).allows(3)).isTrue();
    Controls drained = NONE.withDrained(new TreeMap<>(Map.of("GPU-1", "hot")));
    assertThat(drained.drained(new GpuId("GPU-1"))).contains("hot");
    assertThat(drained.drained(new GpuId("GPU-2"))).isEmpty();
  }
}
