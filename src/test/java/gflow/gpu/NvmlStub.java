package gflow.gpu;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A libnvidia-ml.so.1 that says what a text says; see src/test/c/nvml_stub.c for its words. */
public record NvmlStub(Path library) {
  static final Duration PATIENCE = Duration.ofMinutes(1);

  /** Compiles the stub into a folder; the test is skipped where there is no C compiler. */
  public static NvmlStub compile(Path folder, String... options) {
    Path library = folder.resolve("libnvidia-ml.so.1");
    var command = new ArrayList<>(List.of("cc", "-shared", "-fPIC", "-Wall", "-Werror"));
    command.addAll(List.of(options));
    command.addAll(List.of("-o", library.toString(), "src/test/c/nvml_stub.c", "-ldl"));
    try {
      var compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
      String complaints = new String(compiler.getInputStream().readAllBytes(), UTF_8);
      if (compiler.waitFor() != 0) {
        throw new IllegalStateException("the NVML stub does not compile: " + complaints);
      }
    } catch (IOException e) {
      abort("skipped: no C compiler (cc) to build the NVML stub");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    return new NvmlStub(library);
  }

  public NvmlStub says(String text) {
    try {
      // At once: a call that hangs reads it all the time.
      Path draft = Files.writeString(Path.of(library + ".new"), text);
      Files.move(draft, Path.of(library + ".txt"), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return this;
  }

  public GpuProbe open() {
    return open(Optional.empty());
  }

  GpuProbe open(Optional<String> visible) {
    return NvmlInventory.open(library.toString(), visible, PATIENCE);
  }

  static List<GpuReading> sample(GpuProbe gpus) {
    return gpus.devices().stream().flatMap(gpu -> gpus.sample(gpu).stream()).toList();
  }

  GpuReading sampleOfFirst() {
    try (var gpus = open()) {
      return sample(gpus).getFirst();
    }
  }

  /** How often it was shut down. */
  long shutdowns() throws IOException {
    Path log = Path.of(library + ".log");
    return Files.exists(log) ? Files.readAllLines(log).size() : 0;
  }
}
