package gflow.e2e;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Who can run what here: tests of permissions need root to become somebody else. */
final class Programs {
  private Programs() {}

  /** Skips the test, with the reason, unless we are root and that user can start the program. */
  static void assumeUsableBy(int uid) throws Exception {
    assumeTrue(
        Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0),
        "only root can become another user");
    Path program = Path.of(System.getProperty("gflow.home", "target/gflow")).toAbsolutePath();
    var words = new ArrayList<>(Lab.as(uid));
    words.addAll(List.of(program.resolve("bin/gflow").toString(), "--version"));
    int code = new ProcessBuilder(words).redirectErrorStream(true).start().waitFor();
    assumeTrue(code == 0, () -> "the user " + uid + " cannot start " + program);
  }
}
