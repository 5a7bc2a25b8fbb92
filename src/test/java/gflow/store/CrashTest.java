package gflow.store;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Job;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Law 1: what was acknowledged is there after kill -9. */
class CrashTest {
  @TempDir Path temp;

  @Test
  void every_acknowledged_job_survives_kill_9() throws Exception {
    Path file = temp.resolve("gflow.db");
    long acknowledged = 0;
    for (int round = 1; round <= 5; round++) {
      acknowledged = killedAfter(file, new Random(round).nextInt(1, 60));
      try (var store = SqliteStore.open(file)) {
        List<Long> ids = store.load().jobs().stream().map(Job::id).map(i -> i.value()).toList();

        // At most one more group may have been committed and not said.
        assertThat((long) ids.size()).isBetween(acknowledged, acknowledged + 3);
        assertThat(ids.size() % 3).isZero();
        assertThat(ids).isEqualTo(LongStream.rangeClosed(1, ids.size()).boxed().toList());
        assertThat(store.load().nextId()).isEqualTo(ids.size() + 1L);
      }
    }
    assertThat(acknowledged).isPositive();
  }

  /** Returns the last id that it said, in lines that it finished. */
  private static long killedAfter(Path file, int lines) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                CrashWriter.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    long last = 0;
    try (BufferedReader out = process.inputReader()) {
      for (int i = 0; i < lines; i++) {
        last = Long.parseLong(out.readLine());
      }
      // Through the handle, which leaves the pipe open: what it had said before is still read.
      process.toHandle().destroyForcibly();
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        last = Math.max(last, Long.parseLong(line));
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
    return last;
  }
}
