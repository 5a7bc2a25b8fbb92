package gflow.daemon.service;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.api.ControlsView.Setting;
import gflow.daemon.core.OperatorControls;
import gflow.gpu.GpuDevice;
import gflow.job.GpuId;
import gflow.job.Ranges;
import gflow.plan.Caps;
import gflow.plan.UsageLimits;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What gctl set and what the configuration says are two things, and both are shown. */
class ControlsShownTest {
  private static final ControlsShown SHOWN = new ControlsShown(List.of("root"), List.of("Xorg"));
  private static final List<GpuDevice> DEVICES =
      List.of(new GpuDevice(new GpuId("GPU-a"), 2, "Sim", 1, Ranges.EMPTY, true));

  @Test
  void each_says_where_it_comes_from_and_how_to_change_it() {
    var limits =
        new UsageLimits(
            Caps.ofGpus(4), new TreeMap<>(Map.of("alice", Caps.ofTasks(2))), new TreeMap<>());
    var controls =
        OperatorControls.none(limits)
            .withPause(Optional.of("for a reboot"))
            .withAllowed(Optional.of(List.of(0, 2)))
            .withDrained(new TreeMap<>(Map.of("GPU-a", "fan")))
            .withIgnored(List.of("carol"), List.of());

    assertThat(SHOWN.of(controls, DEVICES).settings())
        .containsExactly(
            new Setting("paused", "for a reboot", "gctl", "gctl resume"),
            new Setting("GPUs allowed", "0,2", "gctl", "gctl set-gpus all"),
            new Setting("GPU 2 drained", "fan", "gctl", "gctl undrain 2"),
            new Setting("GPUs of every user", "at most 4", "gflow.toml", "[limits] of gflow.toml"),
            new Setting("jobs of user:alice", "at most 2", "gctl", "gctl set-limit user:alice N"),
            new Setting("ignored user", "carol", "gctl", "gctl unignore --user carol"),
            new Setting("ignored user", "root", "gflow.toml", "[gpu] of gflow.toml"),
            new Setting("ignored command", "Xorg", "gflow.toml", "[gpu] of gflow.toml"));
  }

  @Test
  void where_nothing_is_set_nothing_is_shown() {
    var none = new ControlsShown(List.of(), List.of());
    assertThat(none.of(OperatorControls.none(UsageLimits.NONE), DEVICES).settings()).isEmpty();
  }
}
