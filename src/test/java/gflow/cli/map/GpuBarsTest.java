package gflow.cli.map;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.cli.frame.LiveLines;
import gflow.cli.frame.Output;
import gflow.map.results.MapProgress;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GpuBarsTest {
  private static MapProgress progress(double seconds, double... busy) {
    var gpus = new ArrayList<MapProgress.Gpu>();
    for (int i = 0; i < busy.length; i++) {
      gpus.add(new MapProgress.Gpu(Optional.of("" + i), 0, 0, busy[i], 0));
    }
    return new MapProgress(0, 0, 0, 0, Instant.EPOCH, seconds, 0, 0, 0, gpus);
  }

  @Test
  void a_bar_is_what_a_gpu_did_since_the_last_look() {
    var bars = new GpuBars();
    bars.take(progress(10, 10, 0));
    assertThat(bars.text(29)).isEqualTo("GPU 0 ██████████ 1 ░░░░░░░░░░");
    bars.take(progress(12, 10, 1));
    bars.take(progress(12, 10, 1));
    assertThat(bars.text(29)).isEqualTo("GPU 0 ░░░░░░░░░░ 1 █████░░░░░");
  }

  @Test
  void eight_gpus_fit_into_80_columns_and_very_many_stand_upright() {
    var bars = new GpuBars();
    bars.take(progress(1, 1, 1, 1, 1, 0, 0, 0, 0));
    assertThat(bars.text(79))
        .hasSizeLessThanOrEqualTo(79)
        .startsWith("GPU 0 ██████ 1 ██████")
        .endsWith("7 ░░░░░░");
    bars = new GpuBars();
    bars.take(progress(1, new double[20]));
    assertThat(bars.text(79)).hasSizeLessThanOrEqualTo(79).endsWith("18  19 ");
    assertThat(new GpuBars().text(79)).isEmpty();
  }

  @Test
  void what_is_printed_comes_before_the_lines_that_change() {
    var said = new StringBuilder();
    var live =
        new LiveLines(
            new Output() {
              @Override
              public void out(String text) {
                said.append(text);
              }

              @Override
              public void err(String text) {
                said.append(text);
              }

              @Override
              public boolean flush() {
                return true;
              }
            },
            true);
    live.show(List.of("1 done", "bars"));
    live.before("printed");
    said.append("printed");
    live.show(List.of("2 done"));

    assertThat(said.toString())
        .isEqualTo(
            "\r\033[K\033[?7l1 done\nbars\033[?7h\r\033[K\033[A\r\033[Kprinted\n"
                + "\r\033[K\033[?7l2 done\033[?7h");
  }
}
