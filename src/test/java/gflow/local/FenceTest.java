package gflow.local;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.GpuId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where a fence would not hide what it has to. */
class FenceTest {
  @TempDir Path folder;

  private Optional<String> problem(Map<GpuId, Path> own) throws Exception {
    Path file = folder.resolve("nvidia0");
    Files.createFile(file);
    return new Fence(
            new Fence.Places(
                List.of(file), new TreeMap<>(own), Optional.of(folder), folder.resolve("fence")))
        .problem();
  }

  @Test
  void instances_of_one_gpu_have_one_file_and_cannot_be_told_apart() throws Exception {
    assertThat(problem(Map.of(new GpuId("MIG-1"), folder.resolve("nvidia0"))))
        .contains("instances of MIG share the device file of their GPU");
  }

  @Test
  void a_gpu_without_a_known_file_could_not_be_hidden() throws Exception {
    assertThat(problem(Map.of(new GpuId("GPU-1"), folder.resolve("nvidia?"))))
        .contains("the device file of a GPU is not known");
  }
}
