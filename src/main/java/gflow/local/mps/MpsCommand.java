package gflow.local.mps;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Says a word to a control daemon, by a process of its own that is killed if it takes too long:
 * such a daemon is known to hang with who talks to it.
 */
record MpsCommand(Path program, Path pipe) {
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final int MOST = 1 << 16;

  /** The lines of its answer; nothing if it refused, hangs or is not there. */
  Optional<List<String>> say(String words) throws IOException {
    return say(words, PATIENCE);
  }

  Optional<List<String>> say(String words, Duration patience) throws IOException {
    var builder = new ProcessBuilder(program.toString()).redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().put("CUDA_MPS_PIPE_DIRECTORY", pipe.toString());
    builder.environment().put("PATH", "/usr/bin:/bin");
    Process process = builder.start();
    try {
      try (var in = process.getOutputStream()) {
        in.write((words + "\n").getBytes(UTF_8));
      } catch (IOException e) {
        // It ended without reading: its code tells.
      }
      return process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS) && process.exitValue() == 0
          ? Optional.of(lines(process))
          : Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } finally {
      process.destroyForcibly();
      process.getInputStream().close();
    }
  }

  private static List<String> lines(Process process) throws IOException {
    try (var out = process.getInputStream()) {
      return new String(out.readNBytes(MOST), UTF_8).lines().filter(l -> !l.isBlank()).toList();
    }
  }
}
