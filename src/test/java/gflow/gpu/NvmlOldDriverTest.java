package gflow.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Ranges;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drivers that lack symbols: what they cannot say is n/a, the rest works. */
class NvmlOldDriverTest {
  @TempDir Path folder;

  @Test
  void an_old_driver_lists_processes_in_its_short_records() {
    long self = ProcessHandle.current().pid();
    var reading =
        NvmlStub.compile(folder, "-DR450")
            .says("gpu GPU-a 1 one\nused 5\ntemp 40\nprocess 1 10\nprocess " + self + " 20")
            .sampleOfFirst();

    assertThat(reading.compute()).extracting(GpuProcess::pid).containsExactly(1L, self);
    assertThat(reading.compute())
        .extracting(p -> p.memory().orElseThrow())
        .containsExactly(10L, 20L);
    // The old form counts the driver's own share too.
    assertThat(reading.memoryUsed()).hasValue(5 + (100L << 20));
    assertThat(reading.temperature()).hasValue(40);
  }

  @Test
  void figures_without_a_symbol_are_absent() {
    var stub =
        NvmlStub.compile(folder, "-DNO_FIGURES")
            .says("gpu GPU-a 1 one\nused 5\nutil 1\ntemp 1\npower 1\ncpus f");

    try (var gpus = stub.open()) {
      assertThat(gpus.devices().getFirst().near()).isEqualTo(Ranges.EMPTY);
      var reading = NvmlStub.sample(gpus).getFirst();
      assertThat(reading.utilization()).isEmpty();
      assertThat(reading.temperature()).isEmpty();
      assertThat(reading.powerWatts()).isEmpty();
      assertThat(reading.memoryUsed()).hasValue(5);
      assertThat(reading.trouble()).isEmpty();
    }
  }
}
