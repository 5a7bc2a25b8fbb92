package gflow.gpu;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * What a job finds of simulated GPUs: a folder with a plain file for each, in the place of a device
 * file, and an {@code nvidia-smi} that shows those which can be opened. So whatever hides a real
 * GPU can be tried without one.
 */
public final class SimulatedDevices {
  /** In a job, the folder. */
  public static final String VARIABLE = "GFLOW_SIMULATED_GPUS";

  private SimulatedDevices() {}

  /**
   * A device file that is there already is never touched: whoever is hidden from it by a mount of
   * its own would see it again.
   */
  public static void make(Path folder, List<GpuDevice> devices) throws IOException {
    var own = PosixFilePermissions.fromString("rwx------");
    Files.createDirectories(folder.resolve("bin"), PosixFilePermissions.asFileAttribute(own));
    for (GpuDevice device : devices) {
      Path file = file(folder, device.index());
      if (!Files.exists(file)) {
        replace(file, (device.id().uuid() + "\n").getBytes(UTF_8), "rw-------");
      }
    }
    String list =
        devices.stream()
            .map(
                d ->
                    "%d %s %d %s\n".formatted(d.index(), d.id().uuid(), d.memory() >> 20, d.name()))
            .collect(Collectors.joining());
    replace(folder.resolve("list"), list.getBytes(UTF_8), "rw-------");
    replace(folder.resolve("bin/nvidia-smi"), program(), "rwx------");
  }

  public static Path file(Path folder, int number) {
    return folder.resolve("nvidia" + number);
  }

  private static byte[] program() throws IOException {
    try (InputStream text = SimulatedDevices.class.getResourceAsStream("nvidia-smi")) {
      return Objects.requireNonNull(text, "nvidia-smi is not packed").readAllBytes();
    }
  }

  /** Jobs read it meanwhile. */
  private static void replace(Path file, byte[] content, String mode) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    Files.write(draft, content);
    Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString(mode));
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
