package gflow.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.GpuId;
import gflow.job.Ranges;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VisibleDevicesTest {
  /** Index 1 is missing, as where a cgroup hides a GPU: the others keep their numbers. */
  private static final List<GpuDevice> ALL =
      List.of(device(0, "GPU-aa11"), device(2, "GPU-aa22"), device(3, "GPU-bb33"));

  @Test
  void without_the_variable_all_are_ours() {
    assertThat(VisibleDevices.leaves(ALL, Optional.empty())).isEqualTo(ALL);
  }

  @ParameterizedTest(name = "[{0}] leaves [{1}]")
  @CsvSource(
      delimiter = '|',
      value = {
        // nothing, or nothing that exists
        "''|''",
        "' '|''",
        "-1|''",
        "1|''",
        "NoDevFiles|''",
        "99999999999|''",
        // indices, in any order, also with spaces
        "0|0",
        "3,0|0 3",
        "' 2 , 3 '|2 3",
        "2,2|2",
        // an entry that is invalid ends the list
        "0,-1,3|0",
        "0,1,3|0",
        "0,,3|0",
        "0,2x,3|0",
        "0x0|''",
        // UUIDs, whole or as much as is unique
        "GPU-aa22|2",
        "GPU-b|3",
        "gpu-AA11,3|0 3",
        "GPU-aa|''",
        "GPU-|''",
        "0,GPU-cc,3|0",
        "MIG-aa11|''",
      })
  void the_variable_leaves_what_cuda_would_see(String variable, String indices) {
    var left = VisibleDevices.leaves(ALL, Optional.of(variable));

    assertThat(left.stream().map(d -> Integer.toString(d.index())).toList())
        .isEqualTo(indices.isEmpty() ? List.of() : List.of(indices.split(" ")));
  }

  private static GpuDevice device(int index, String uuid) {
    return new GpuDevice(new GpuId(uuid), index, "A100", 1, Ranges.EMPTY, false);
  }
}
