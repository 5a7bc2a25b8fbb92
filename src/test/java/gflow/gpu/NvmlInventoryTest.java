package gflow.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Ranges;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NvmlInventoryTest {
  private static final String THREE =
      """
      driver 580.65.06
      gpu GPU-aaaa 85899345920 NVIDIA A100 80GB PCIe
      cpus ff00000f 1
      gpu GPU-bbbb 25769803776 NVIDIA GeForce RTX 4090
      gpu GPU-cccc 25769803776 NVIDIA GeForce RTX 4090
      """;

  @TempDir Path folder;
  private NvmlStub stub;

  @BeforeEach
  void compile() {
    stub = NvmlStub.compile(folder);
  }

  @Test
  void the_gpus_are_as_the_driver_describes_them() {
    try (var gpus = stub.says(THREE).open()) {
      assertThat(gpus.source()).isEqualTo("NVML, driver 580.65.06");
      assertThat(gpus.simulated()).isFalse();
      assertThat(gpus.devices()).extracting(GpuDevice::index).containsExactly(0, 1, 2);
      assertThat(gpus.devices())
          .extracting(d -> d.id().uuid())
          .containsExactly("GPU-aaaa", "GPU-bbbb", "GPU-cccc");
      var first = gpus.devices().getFirst();
      assertThat(first.name()).isEqualTo("NVIDIA A100 80GB PCIe");
      assertThat(first.memory()).isEqualTo(80L << 30);
      assertThat(first.simulated()).isFalse();
      assertThat(first.near().intersect(Ranges.of(0, 23))).isEqualTo(Ranges.of(0, 3));
      assertThat(gpus.devices().get(1).near()).isEqualTo(Ranges.EMPTY);
    }
  }

  @Test
  void the_number_of_a_device_file_is_the_drivers_and_not_the_index() {
    stub.says(
        """
        driver 1
        gpu GPU-a 1 one
        minor 3
        gpu GPU-b 1 two
        minor 0
        gpu GPU-c 1 three
        """);
    try (var gpus = stub.open()) {
      assertThat(gpus.devices())
          .extracting(gpus::deviceNumber)
          .containsExactly(OptionalInt.of(3), OptionalInt.of(0), OptionalInt.empty());
    }
  }

  @Test
  void the_mask_of_near_cpus_has_64_bits_a_word() {
    assertThat(CpuAffinity.ranges(new long[] {0xff00000fL, 1, 0x8000000000000000L}))
        .hasToString("0-3,24-31,64,191");
    assertThat(CpuAffinity.highest("0-63,128-191\n")).isEqualTo(191);
    assertThat(CpuAffinity.highest("0\n")).isEqualTo(0);
  }

  @Test
  void gpus_that_we_may_not_touch_are_not_ours_and_the_others_keep_their_index() {
    stub.says(
        """
        driver 1
        gpu GPU-a 1 one
        fail nvmlDeviceGetHandleByIndex_v2 4
        gpu GPU-b 1 two
        """);

    try (var gpus = stub.open()) {
      assertThat(gpus.devices()).extracting(GpuDevice::index).containsExactly(1);
      assertThat(gpus.source()).isEqualTo("NVML, driver 1");
    }
  }

  @Test
  void a_gpu_that_is_lost_from_the_start_is_left_out_with_a_word() {
    stub.says(
        """
        driver 1
        gpu GPU-a 1 one
        fail nvmlDeviceGetHandleByIndex_v2 15
        gpu GPU-b 1 two
        fail nvmlDeviceGetUUID 999
        gpu GPU-c 1 three
        """);

    try (var gpus = stub.open()) {
      assertThat(gpus.devices()).extracting(GpuDevice::index).containsExactly(2);
      assertThat(gpus.source())
          .startsWith("NVML, driver 1; GPU 0 left out: GPU is lost")
          .endsWith("; GPU 1 left out: unknown error");
    }
  }

  @Test
  void name_memory_and_driver_may_be_unknown() {
    stub.says(
        """
        fail nvmlSystemGetDriverVersion 3
        gpu GPU-a 1 one
        fail nvmlDeviceGetName 999
        fail nvmlDeviceGetMemoryInfo 3
        """);

    try (var gpus = stub.open()) {
      assertThat(gpus.source()).isEqualTo("NVML, driver unknown");
      assertThat(gpus.devices().getFirst().name()).isEqualTo("NVIDIA GPU");
      assertThat(gpus.devices().getFirst().memory()).isEqualTo(0);
    }
  }

  @Test
  void the_inherited_choice_leaves_some_and_the_samples_follow() {
    stub.says(THREE);

    try (var gpus = stub.open(Optional.of("GPU-cc,0,7,1"))) {
      assertThat(gpus.devices()).extracting(GpuDevice::index).containsExactly(0, 2);
      assertThat(NvmlStub.sample(gpus))
          .extracting(r -> r.id().uuid())
          .containsExactly("GPU-aaaa", "GPU-cccc");
      assertThat(gpus.source())
          .isEqualTo("NVML, driver 580.65.06; CUDA_VISIBLE_DEVICES leaves 2 of 3 GPUs");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "nvmlInit_v2, 9, none: NVML does not start: the NVIDIA driver is not loaded",
    "nvmlInit_v2, 18, none: NVML does not start: driver and library versions differ (reboot after"
        + " a driver update)",
    "nvmlInit_v2, 77, none: NVML does not start: NVML error 77",
    "nvmlDeviceGetCount_v2, 999, none: NVML does not list the GPUs: unknown error"
  })
  void a_driver_that_does_not_work_is_a_machine_without_gpus(
      String function, int code, String why) {
    stub.says("fail " + function + " " + code + "\n" + THREE);

    try (var gpus = stub.open()) {
      assertThat(gpus.devices()).isEmpty();
      assertThat(NvmlStub.sample(gpus)).isEmpty();
      assertThat(gpus.source()).isEqualTo(why);
    }
  }

  @Test
  void what_was_started_is_shut_down_once() throws IOException {
    var gpus = stub.says(THREE).open();
    assertThat(stub.shutdowns()).isEqualTo(0);

    gpus.close();
    gpus.close();

    assertThat(stub.shutdowns()).isEqualTo(1);
    assertThat(NvmlStub.sample(gpus)).isEmpty();
    stub.says("fail nvmlDeviceGetCount_v2 999").open().close();
    assertThat(stub.shutdowns()).isEqualTo(2);
    stub.says("fail nvmlInit_v2 9").open().close();
    assertThat(stub.shutdowns()).isEqualTo(2);
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void a_driver_that_hangs_at_the_start_does_not_keep_the_daemon_from_it() throws Exception {
    String library = stub.says("hang nvmlInit_v2\n" + THREE).library().toString();

    try (var gpus = NvmlInventory.open(library, Optional.empty(), Duration.ofMillis(50))) {
      assertThat(gpus.devices()).isEmpty();
      assertThat(gpus.source()).startsWith("none: the NVIDIA driver does not answer");
    }
    stub.says(THREE);
  }

  private static FutureTask<Optional<GpuReading>> sampling(GpuProbe gpus, GpuDevice device) {
    var sampling = new FutureTask<>(() -> gpus.sample(device));
    Thread.ofPlatform().daemon().start(sampling);
    return sampling;
  }

  @Test
  void a_gpu_whose_driver_hangs_keeps_nobody_from_the_others() throws Exception {
    stub.says(THREE);
    try (var gpus = stub.open()) {
      stub.says(THREE.replace("gpu GPU-cccc", "hang nvmlDeviceGetMemoryInfo_v2\ngpu GPU-cccc"));
      List<GpuDevice> devices = gpus.devices();
      var hangs = sampling(gpus, devices.get(1));

      assertThat(sampling(gpus, devices.get(0)).get(1, TimeUnit.MINUTES)).isPresent();
      assertThat(sampling(gpus, devices.get(2)).get(1, TimeUnit.MINUTES)).isPresent();
      assertThat(hangs.isDone()).isFalse();
      stub.says(THREE);
      assertThat(hangs.get().orElseThrow().id()).isEqualTo(devices.get(1).id());
    }
  }

  @Test
  void a_library_that_is_missing_or_none_at_all_is_a_machine_without_gpus() {
    Path missing = folder.resolve("missing.so");
    Path program = Path.of(System.getProperty("java.home"), "bin", "java");

    assertThat(NvmlInventory.open(missing.toString(), Optional.empty(), NvmlStub.PATIENCE))
        .isEqualTo(new NoGpus("none: " + missing + " not found"));
    assertThat(NvmlInventory.open("libno-such-thing.so.1", Optional.empty(), NvmlStub.PATIENCE))
        .isEqualTo(new NoGpus("none: libno-such-thing.so.1 not found"));
    assertThat(NvmlInventory.open(program.toString(), Optional.empty(), NvmlStub.PATIENCE))
        .isEqualTo(new NoGpus("none: " + program + " is not a library"));
  }

  @Test
  void the_word_nvml_opens_the_library_that_the_property_names() throws BadGpuSpec {
    System.setProperty("gflow.nvml", stub.says(THREE).library().toString());
    try (var named = Gpus.open("nvml", Optional.of("1"));
        var usual = Gpus.open("", Optional.empty())) {
      assertThat(named.devices()).extracting(GpuDevice::index).containsExactly(1);
      assertThat(usual.devices()).hasSize(3);
    } finally {
      System.clearProperty("gflow.nvml");
    }
  }
}
