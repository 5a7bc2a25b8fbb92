package gflow.daemon.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogGrowthTest {
  private static final long MB = 1 << 20;
  private static final long SECOND = 1_000_000_000L;

  @TempDir Path folder;
  private final LogGrowth growth = new LogGrowth(100 * MB);

  /** A file of that length without its bytes. */
  private Path log(String name, long size) throws IOException {
    Path file = folder.resolve(name);
    try (var out = new RandomAccessFile(file.toFile(), "rw")) {
      out.setLength(size);
    }
    return file;
  }

  @Test
  void a_log_that_grows_fast_is_looked_at_before_it_is_far_over_its_bound() throws IOException {
    growth.look(List.of(log("fast", 0)), 0);
    assertThat(growth.look(List.of(log("fast", 80 * MB)), SECOND / 5)).isEmpty();

    assertThat(growth.next(true)).as("400 MB/s leave 50 ms").isEqualTo(Duration.ofMillis(50));
  }

  @Test
  void the_next_look_is_when_the_bound_could_be_reached() throws IOException {
    growth.look(List.of(log("some", 0)), 0);
    growth.look(List.of(log("some", 50 * MB)), SECOND / 4);

    assertThat(growth.next(true)).isEqualTo(Duration.ofMillis(250));
  }

  @Test
  void one_that_is_over_its_bound_is_cut_and_counts_from_nothing() throws IOException {
    Path log = log("large", 101 * MB);

    assertThat(growth.look(List.of(log), 0)).containsExactly(log);
    log("large", 1 * MB);
    assertThat(growth.look(List.of(log), SECOND)).isEmpty();
    assertThat(growth.next(true)).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void where_nothing_runs_nobody_looks_often() {
    growth.look(List.of(), 0);

    assertThat(growth.next(false)).isEqualTo(Duration.ofSeconds(10));
  }
}
