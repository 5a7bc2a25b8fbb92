package gflow.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NvmlSampleTest {
  private static final long GIB = 1L << 30;

  /** Linux gives smaller pids only, so this one is never in /proc. */
  private static final long NOBODY = 1 << 22;

  @TempDir Path folder;
  private NvmlStub stub;

  @BeforeEach
  void compile() {
    stub = NvmlStub.compile(folder);
  }

  @Test
  void the_figures_of_each_gpu_are_its_own() {
    stub.says(
        """
        gpu GPU-a 25769803776 one
        used 3221225472
        util 87
        temp 65
        power 312500
        gpu GPU-b 25769803776 two
        """);

    try (var gpus = stub.open()) {
      var busy = NvmlStub.sample(gpus).get(0);
      assertThat(busy.memoryUsed()).isEqualTo(OptionalLong.of(3 * GIB));
      assertThat(busy.utilization()).isEqualTo(OptionalInt.of(87));
      assertThat(busy.temperature()).isEqualTo(OptionalInt.of(65));
      assertThat(busy.powerWatts()).contains(312.5);
      assertThat(busy.trouble()).isEmpty();
      var idle = NvmlStub.sample(gpus).get(1);
      assertThat(idle.id().uuid()).isEqualTo("GPU-b");
      assertThat(idle.memoryUsed()).isEqualTo(OptionalLong.of(0));
      assertThat(idle.utilization()).isEmpty();
      assertThat(idle.temperature()).isEmpty();
      assertThat(idle.powerWatts()).isEmpty();
      assertThat(idle.trouble()).isEmpty();
    }
  }

  @Test
  void every_sample_is_fresh() {
    try (var gpus = stub.says("gpu GPU-a 1 one\nused 5").open()) {
      assertThat(NvmlStub.sample(gpus).getFirst().memoryUsed()).hasValue(5);

      stub.says("gpu GPU-a 1 one\nused 6\nprocess " + self() + " 7");

      assertThat(NvmlStub.sample(gpus).getFirst().memoryUsed()).hasValue(6);
      assertThat(NvmlStub.sample(gpus).getFirst().compute()).hasSize(1);
    }
  }

  @ParameterizedTest(name = "records of {0}")
  @ValueSource(strings = {"record 24", "record 32", "record 24\nwipe", "record 32\nwipe"})
  void processes_are_told_apart_whatever_the_size_of_a_record(String form) {
    var reading =
        stub.says(
                "%s\ngpu GPU-a 1 one\nprocess %d %d\nprocess 1 %d\nprocess %d %d"
                    .formatted(form, self(), 2 * GIB, 3 * GIB, NOBODY, 4 * GIB))
            .sampleOfFirst();

    assertThat(reading.compute())
        .extracting(GpuProcess::pid, p -> p.memory().orElse(-1) / GIB)
        .containsExactlyInAnyOrder(tuple(1L, 3L), tuple(self(), 2L), tuple(NOBODY, 4L));
  }

  @Test
  void a_process_has_its_user_and_command() {
    var process =
        stub.says("gpu GPU-a 1 one\nprocess " + self() + " 7").sampleOfFirst().compute().getFirst();

    assertThat(process.user()).isEqualTo(System.getProperty("user.name"));
    assertThat(process.command()).isEqualTo("java");
    assertThat(process.memory()).hasValue(7);
  }

  @Test
  void a_process_that_is_not_here_counts_only_while_it_holds_memory() {
    String gpu = "gpu GPU-a 1 one\nprocess " + NOBODY + " ";

    assertThat(stub.says(gpu + 0).sampleOfFirst().compute()).isEmpty();
    assertThat(stub.says(gpu + -1).sampleOfFirst().compute()).isEmpty();
    assertThat(stub.says(gpu + 5).sampleOfFirst().compute())
        .containsExactly(
            new GpuProcess(NOBODY, GpuProcess.UNSEEN, GpuProcess.UNSEEN, OptionalLong.of(5)));
  }

  @Test
  void a_process_here_whose_memory_is_unknown_stays() {
    assertThat(stub.says("gpu GPU-a 1 one\nprocess " + self() + " -1").sampleOfFirst().compute())
        .extracting(GpuProcess::memory)
        .containsExactly(OptionalLong.empty());
  }

  @Test
  void clients_of_mps_are_joined_to_the_list_and_none_comes_twice() {
    var reading =
        stub.says(
                "gpu GPU-a 1 one\nprocess %d 30\nprocess 1 -1\nmps 1 40\nmps %d 20"
                    .formatted(NOBODY, NOBODY))
            .sampleOfFirst();

    assertThat(reading.compute())
        .extracting(GpuProcess::pid, GpuProcess::memory)
        .containsExactly(tuple(1L, OptionalLong.of(40)), tuple(NOBODY, OptionalLong.of(30)));
  }

  @Test
  void a_list_longer_than_the_buffer_that_grows_meanwhile_is_read_whole() {
    String processes =
        IntStream.range(0, 100)
            .mapToObj(i -> "process " + (NOBODY - i) + " 1")
            .collect(Collectors.joining("\n"));

    assertThat(stub.says("growing\ngpu GPU-a 1 one\n" + processes).sampleOfFirst().compute())
        .filteredOn(p -> p.pid() > 1)
        .hasSize(100);
  }

  @ParameterizedTest(name = "{0} answers {1}")
  @CsvSource({
    "nvmlDeviceGetMemoryInfo_v2, 15, GPU is lost",
    "nvmlDeviceGetMemoryInfo_v2, 16, GPU needs a reset",
    "nvmlDeviceGetMemoryInfo_v2, 999, unknown error",
    "nvmlDeviceGetComputeRunningProcesses_v3, 15, GPU is lost",
    "nvmlDeviceGetComputeRunningProcesses_v3, 999, unknown error",
    "nvmlDeviceGetTemperature, 15, GPU is lost",
    "nvmlDeviceGetPowerUsage, 16, GPU needs a reset",
  })
  void a_sick_gpu_says_so_and_the_others_go_on(String function, int code, String trouble) {
    stub.says("gpu GPU-a 9 one\nfail " + function + " " + code + "\ngpu GPU-b 9 two\nused 3\n");

    try (var gpus = stub.open()) {
      assertThat(NvmlStub.sample(gpus).get(0).trouble().orElse("none")).startsWith(trouble);
      assertThat(NvmlStub.sample(gpus).get(1).trouble()).isEmpty();
      assertThat(NvmlStub.sample(gpus).get(1).memoryUsed()).hasValue(3);
    }
  }

  @ParameterizedTest(name = "{0} answers {1}")
  @CsvSource({
    "nvmlDeviceGetTemperature, 999",
    "nvmlDeviceGetPowerUsage, 3",
    "nvmlDeviceGetComputeRunningProcesses_v3, 3",
    "nvmlDeviceGetComputeRunningProcesses_v3, 4",
    "nvmlDeviceGetMemoryInfo_v2, 3",
  })
  void what_is_not_available_is_no_trouble(String function, int code) {
    stub.says("gpu GPU-a 9 one\nused 1\nutil 50\nfail " + function + " " + code);

    var reading = stub.sampleOfFirst();

    assertThat(reading.trouble()).isEmpty();
    assertThat(reading.memoryUsed()).isPresent();
    assertThat(reading.utilization()).hasValue(50);
    assertThat(reading.compute()).isEqualTo(List.of());
  }

  private static long self() {
    return ProcessHandle.current().pid();
  }
}
