package gflow.daemon.core;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.daemon.Specs;
import gflow.gpu.GpuDevice;
import gflow.gpu.GpuReading;
import gflow.job.GpuId;
import gflow.job.Ranges;
import gflow.plan.UsageLimits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** On which knowledge real GPUs are given out. */
class InventoryTest {
  private static final GpuId GPU = new GpuId("GPU-0");

  private final Inventory inventory =
      new Inventory(
          new Inventory.Stock(
              List.of(new GpuDevice(GPU, 0, "a100", 1L << 36, Ranges.EMPTY, false)),
              false,
              Ranges.firstN(4),
              1L << 36,
              0,
              "boot"),
          OperatorControls.none(UsageLimits.NONE));

  private void look(long began) {
    inventory.sampled(
        began, new Inventory.Sample(List.of(GpuReading.none(GPU)), Map.of(), Map.of()), Specs.T0);
  }

  @Test
  void a_look_that_began_before_a_gpu_came_back_has_not_seen_what_is_left_there() {
    long before = inventory.looks();
    inventory.lookAgain();

    look(before);
    assertThat(inventory.fresh(Specs.T0)).isFalse();
    look(inventory.looks());
    assertThat(inventory.fresh(Specs.T0)).isTrue();
  }

  @Test
  void on_a_clock_that_was_set_back_no_look_is_fresh_for_an_hour() {
    look(inventory.looks());

    inventory.clockSet(Duration.ofHours(-1));

    assertThat(inventory.fresh(Specs.T0.minusSeconds(3600))).isFalse();
  }
}
