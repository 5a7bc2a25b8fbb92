package gflow.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.job.Ranges;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GpusTest {
  @Test
  void a_count_and_a_size_make_simulated_gpus() throws BadGpuSpec {
    var gpus = open("sim:4x24G");

    assertThat(gpus.devices()).hasSize(4);
    assertThat(gpus.devices()).extracting(GpuDevice::index).containsExactly(0, 1, 2, 3);
    assertThat(gpus.devices()).extracting(GpuDevice::id).doesNotHaveDuplicates();
    var last = gpus.devices().getLast();
    assertThat(last.id().uuid()).isEqualTo("GPU-simulate-0000-0000-0000-000000000003");
    assertThat(last.name()).isEqualTo("Simulated GPU");
    assertThat(last.memory()).isEqualTo(24L << 30);
    assertThat(last.near()).isEqualTo(Ranges.EMPTY);
    assertThat(last.simulated()).isTrue();
    assertThat(gpus.simulated()).isTrue();
    assertThat(gpus.source()).isEqualTo("simulated");
  }

  @Test
  void a_type_names_the_one_group_that_it_precedes() throws BadGpuSpec {
    assertThat(describe("sim:a100:2x80G,1x24G"))
        .containsExactly("Simulated a100 81920", "Simulated a100 81920", "Simulated GPU 24576");
    assertThat(describe("sim:1x512M,h200:1x1T"))
        .containsExactly("Simulated GPU 512", "Simulated h200 1048576");
    assertThat(describe(" sim: rtx_4090:1X24g , 1x8G "))
        .containsExactly("Simulated rtx_4090 24576", "Simulated GPU 8192");
  }

  @Test
  void simulated_gpus_are_idle_and_have_one_reading_each() throws BadGpuSpec {
    var gpus = open("sim:2x24G");

    assertThat(NvmlStub.sample(gpus))
        .extracting(GpuReading::id)
        .containsExactlyElementsOf(gpus.devices().stream().map(GpuDevice::id).toList());
    assertThat(NvmlStub.sample(gpus))
        .allSatisfy(
            reading -> {
              assertThat(reading.memoryUsed()).isEqualTo(OptionalLong.of(0));
              assertThat(reading.compute()).isEmpty();
              assertThat(reading.trouble()).isEmpty();
            });
  }

  @Test
  void no_gpus_are_simulated_or_none_at_all() throws BadGpuSpec {
    assertThat(open("sim:0").devices()).isEmpty();
    assertThat(open("sim:0").simulated()).isTrue();
    assertThat(open("none").devices()).isEmpty();
    assertThat(NvmlStub.sample(open("none"))).isEmpty();
    assertThat(open("none").simulated()).isFalse();
    assertThat(open("none").source()).isEqualTo("none: as configured");
  }

  @Test
  void an_inherited_choice_of_real_gpus_does_not_touch_simulated_ones() throws BadGpuSpec {
    assertThat(Gpus.open("sim:4x24G", Optional.of("")).devices()).hasSize(4);
  }

  @Test
  void sixty_four_gpus_are_the_most() throws BadGpuSpec {
    assertThat(open("sim:60x1G,4x2G").devices()).hasSize(64);
    assertThatThrownBy(() -> open("sim:60x1G,5x2G"))
        .isInstanceOf(BadGpuSpec.class)
        .hasMessage("simulated GPUs: '5x2G' must leave between 1 and 64 GPUs in all");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sim",
        "sim:",
        "sim:4",
        "sim:x24G",
        "sim:4x",
        "sim:4x24",
        "sim:4x24K",
        "sim:0x24G",
        "sim:-1x24G",
        "sim:65x1G",
        "sim:4x0G",
        "sim:4x1025T",
        "sim:4x24G,",
        "sim:,4x24G",
        "sim:a100",
        "sim:a100:4",
        "sim:a 100:1x8G",
        "sim::1x8G",
        "sim:4x24.5G",
        "sim:99999999999x1G",
        "sim:1x99999999999G",
        "simulated",
        "cuda",
        "NVML",
        "4x24G"
      })
  void a_bad_word_is_refused_in_one_line_that_shows_an_example(String word) {
    assertThatThrownBy(() -> open(word))
        .isInstanceOf(BadGpuSpec.class)
        .message()
        .doesNotContain("\n")
        .containsPattern("GPUs: .*('|sim:4x24G|4x24G)");
  }

  private static GpuProbe open(String word) throws BadGpuSpec {
    return Gpus.open(word, Optional.empty());
  }

  private static List<String> describe(String word) throws BadGpuSpec {
    return open(word).devices().stream().map(d -> d.name() + " " + (d.memory() >> 20)).toList();
  }
}
