package gflow.local.mps;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The driver's program that starts servers, and where ours have their folders; {@code patience}:
 * for so long a server may take to be ready.
 */
public record MpsPlaces(Optional<Path> program, Path folder, Duration patience) {
  public static final MpsPlaces NONE = new MpsPlaces(Optional.empty(), Path.of("/nowhere"));

  public MpsPlaces(Optional<Path> program, Path folder) {
    this(program, folder, Duration.ofSeconds(15));
  }

  /** Of the sockets in our folder. */
  public static final String LONGEST = "0123456789ab/pipe/control_privileged";

  private static final String NAME = "nvidia-cuda-mps-control";
  private static final String USUAL = "/usr/bin:/usr/local/bin:/usr/local/nvidia/bin:/opt/bin";

  /** {@code path}: as the variable has it. */
  public static Optional<Path> find(String path) {
    return Stream.of((path + ":" + USUAL).split(":", -1))
        .filter(folder -> folder.startsWith("/"))
        .map(folder -> Path.of(folder, NAME))
        .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
        .findFirst();
  }
}
