package gflow.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.GpuPart;
import gflow.job.Ranges;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** GPUs that were cut up: their instances are GPUs, the whole of them is not given out. */
class MigTest {
  private static final String CUT =
      """
      gpu GPU-a 1000 NVIDIA H200
      mig MIG-1 18 NVIDIA H200 MIG 1g.18gb
      used 3
      mig MIG-2 36 NVIDIA H200 MIG 2g.35gb
      gpu GPU-b 1000 NVIDIA H200
      """;

  @TempDir Path folder;

  @Test
  void instances_are_gpus_of_a_type_of_their_own_and_the_whole_is_not_given_out() {
    try (var gpus = NvmlStub.compile(folder).says(CUT).open()) {
      assertThat(gpus.devices())
          .extracting(d -> d.id().uuid(), GpuDevice::index, GpuDevice::name, GpuDevice::memory)
          .containsExactly(
              tuple("MIG-1", 2, "NVIDIA H200 MIG 1g.18gb", 18L),
              tuple("MIG-2", 3, "NVIDIA H200 MIG 2g.35gb", 36L),
              tuple("GPU-b", 1, "NVIDIA H200", 1000L));
      assertThat(NvmlStub.sample(gpus).getFirst().memoryUsed()).hasValue(3);
    }
  }

  @Test
  void programs_know_them_by_their_uuids() {
    try (var gpus = NvmlStub.compile(folder).says(CUT).open(Optional.of("MIG-2"))) {
      GpuDevice device = gpus.devices().getFirst();
      assertThat(gpus.devices()).hasSize(1);
      var grant = new GpuGrant(device.id(), device.index(), GpuPart.WHOLE, device.memory());
      var other = new GpuGrant(new gflow.job.GpuId("GPU-b"), 1, GpuPart.WHOLE, 1000);
      assertThat(new Allocation(List.of(grant, other), Ranges.EMPTY, 0).visible())
          .isEqualTo("MIG-2,1");
    }
  }
}
