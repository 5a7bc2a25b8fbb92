package gflow.daemon.core;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.gpu.GpuDevice;
import gflow.job.GpuId;
import gflow.job.Ranges;
import gflow.json.RecordJson;
import gflow.plan.Caps;
import gflow.plan.UsageLimits;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OperatorControlsTest {
  private static final OperatorControls NONE = OperatorControls.none(UsageLimits.NONE);

  static List<OperatorControls> said() {
    var limits =
        new UsageLimits(
            Caps.ofTasks(4),
            new TreeMap<>(Map.of("ann", Caps.ofGpus(1))),
            new TreeMap<>(Map.of("p", UsageLimits.Cap.NONE)));
    return List.of(
        NONE,
        NONE.withAllowed(Optional.of(List.of())),
        NONE.withAllowed(Optional.of(List.of(0, 2))),
        NONE.withDrained(new TreeMap<>(Map.of("GPU-1", "hot \"fan\"", "GPU-2", ""))),
        NONE.withLimits(limits),
        NONE.withPause(Optional.of("reboot")),
        NONE.withIgnored(List.of("gdm"), List.of("Xorg", "a b")));
  }

  @ParameterizedTest
  @MethodSource("said")
  void what_the_operator_said_outlives_the_daemon(OperatorControls controls) throws Exception {
    assertThat(RecordJson.read(OperatorControls.class, RecordJson.write(controls)))
        .isEqualTo(controls);
  }

  @Test
  void nothing_said_allows_every_gpu_and_an_empty_list_none() {
    assertThat(NONE.allows(3)).isTrue();
    assertThat(NONE.withAllowed(Optional.of(List.of())).allows(3)).isFalse();
    assertThat(NONE.withAllowed(Optional.of(List.of(3))).allows(3)).isTrue();
    OperatorControls drained = NONE.withDrained(new TreeMap<>(Map.of("GPU-1", "hot")));
    assertThat(drained.drained(new GpuId("GPU-1"))).contains("hot");
    assertThat(drained.drained(new GpuId("GPU-2"))).isEmpty();
  }

  private static final UsageLimits CONFIG =
      new UsageLimits(Caps.ofTasks(4), new TreeMap<>(), new TreeMap<>());
  private static final GpuDevice GPU =
      new GpuDevice(new GpuId("GPU-1"), 0, "A100", 1L << 34, Ranges.EMPTY, true);

  private static KeptControls read(String text) {
    return KeptControls.read(text, CONFIG, List.of(GPU));
  }

  @Test
  void what_the_configuration_says_of_every_user_holds_after_any_gctl_and_is_not_kept() {
    var named = new TreeMap<>(Map.of("ann", Caps.ofGpus(1)));
    var before = new UsageLimits(Caps.ofTasks(99), named, new TreeMap<>());

    KeptControls kept = read(NONE.withLimits(before).text());
    KeptControls ofOldVersions = read(RecordJson.write(NONE.withLimits(before)));

    assertThat(NONE.withLimits(before).text()).doesNotContain("99");
    assertThat(kept).isEqualTo(ofOldVersions);
    assertThat(kept.unread()).isEmpty();
    assertThat(kept.controls().limits().user("ben")).isEqualTo(Caps.ofTasks(4));
    assertThat(kept.controls().limits().user("ann").gpus()).hasValue(1);
  }

  @Test
  void a_field_that_cannot_be_read_does_not_take_the_others_along() {
    OperatorControls said =
        NONE.withDrained(new TreeMap<>(Map.of("GPU-7", "hot")))
            .withIgnored(List.of("gdm"), List.of("Xorg"));
    String text =
        said.text().replace("[\"gdm\"]", "7").replaceFirst("\\{", "{\"of_a_later_version\":1,");

    KeptControls kept = read(text);

    assertThat(kept.unread()).isPresent();
    assertThat(kept.controls().drainedGpus()).containsOnlyKeys("GPU-7");
    assertThat(kept.controls().ignoredCommands()).containsExactly("Xorg");
    assertThat(kept.controls().ignoredUsers()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"rubbish", "[]", "{}", "{\"drained_gpus\":{\"GPU-1\":5}}"})
  void where_nobody_knows_what_was_drained_everything_is(String text) {
    KeptControls kept = read(text);

    assertThat(kept.unread()).isPresent();
    assertThat(kept.controls().drained(GPU.id())).get().asString().contains("cannot be read");
  }
}
