package gflow.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** Programs that guides name and test machines lack, as small scripts on a lab's PATH. */
final class StandIns {
  /** Runs while the test keeps the file {@code hold} or {@code hold-<script>} in the home. */
  private static final String PYTHON =
      """
      #!/bin/sh
      config=${GFLOW_JOB_CONFIG:+$(cat "$GFLOW_JOB_CONFIG")}
      echo "python $* on GPU [$CUDA_VISIBLE_DEVICES] config=$config"
      while [ -e "$HOME/hold" ] || [ -e "$HOME/hold-${1-}" ]; do sleep 0.05; done
      """;

  /** With {@code -l} the real one goes on for ever. */
  private static final String NVIDIA_SMI =
      """
      #!/bin/sh
      case " $* " in *" -L "*) for i in 0 1 2 3; do echo "GPU $i: stand-in"; done; exit ;; esac
      echo "nvidia-smi $*"
      case " $* " in *" -l "*) exec sleep 600 ;; esac
      """;

  /** Once is enough. */
  private static final String WATCH =
      """
      #!/bin/sh
      [ "$1" = -n ] && shift 2
      exec sh -c "$*"
      """;

  private StandIns() {}

  static void on(Lab lab) {
    Path bin = lab.work().resolveSibling("stand-ins");
    make(bin.resolve("python"), PYTHON);
    make(bin.resolve("torchrun"), PYTHON);
    make(bin.resolve("nvidia-smi"), NVIDIA_SMI);
    make(bin.resolve("watch"), WATCH);
    Path program = Path.of(System.getProperty("gflow.home", "target/gflow")).toAbsolutePath();
    lab.set("PATH", String.join(":", List.of(program + "/bin", bin.toString(), path())));
  }

  private static String path() {
    return System.getenv("PATH");
  }

  private static void make(Path file, String text) {
    try {
      Files.createDirectories(file.getParent());
      Files.write(file, text.getBytes(UTF_8));
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
