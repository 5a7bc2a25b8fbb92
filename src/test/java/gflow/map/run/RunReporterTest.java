package gflow.map.run;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.map.items.Item;
import gflow.map.results.DoneItems;
import gflow.map.results.ItemOutcome;
import gflow.map.results.MapProgress;
import gflow.map.results.Result;
import gflow.map.results.Try;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunReporterTest {
  private static final Instant T0 = Instant.parse("2026-11-15T12:00:00Z");

  @TempDir Path folder;
  private Instant now = T0;

  private RunReporter reporter(int items) throws IOException {
    var log = new RunLog(folder.resolve("log"), () -> now);
    var before = new DoneItems(new BitSet(), new BitSet());
    return new RunReporter(items, before, log, () -> now, new Deaf(), _ -> {});
  }

  /** Nobody listens. */
  private static final class Deaf implements MapRun.Listener {
    @Override
    public void progress(String text) {}

    @Override
    public void problem(String line) {}
  }

  private static Try attempt(int number) {
    return new Try(Item.of(0, "a"), number, 0);
  }

  private void begin(RunReporter reporter, Slot slot, int second) {
    now = T0.plusSeconds(second);
    reporter.began(attempt(1), slot);
  }

  private void end(RunReporter reporter, Slot slot, int second) {
    now = T0.plusSeconds(second);
    var took = Duration.ofSeconds(1);
    var exited = new ItemOutcome.Exited(1);
    reporter.tried(new Executor.Done(attempt(1), exited, T0, took, Result.Said.NOTHING), slot);
  }

  @Test
  void a_gpu_is_busy_while_it_has_an_item_however_many() throws IOException {
    var reporter = reporter(4);
    var slot = new Slot(0, "0");
    begin(reporter, slot, 0);
    begin(reporter, slot, 1);
    end(reporter, slot, 4);
    end(reporter, slot, 5);
    begin(reporter, slot, 8);

    now = T0.plusSeconds(10);
    assertThat(reporter.counted().running()).isEqualTo(1);
    assertThat(reporter.counted().gpus())
        .containsExactly(new MapProgress.Gpu(Optional.of("0"), 0, 1, 7.0, 0.7));
  }

  /** Tries that were in vain took time, too, but they are not what a line says. */
  @Test
  void the_speed_up_is_of_the_lines() throws IOException {
    var reporter = reporter(2);
    var slot = new Slot(0, "");
    begin(reporter, slot, 0);
    end(reporter, slot, 6);
    begin(reporter, slot, 6);
    end(reporter, slot, 8);
    var took = Duration.ofSeconds(2);
    var exited = new ItemOutcome.Exited(0);
    reporter.ended(
        new Result(attempt(2), "", exited, T0.plusSeconds(6), took, Result.Said.NOTHING));

    now = T0.plusSeconds(10);
    assertThat(reporter.counted().itemSeconds()).isEqualTo(2.0);
    assertThat(reporter.counted().speedUp()).isEqualTo(0.2);
    assertThat(reporter.progress()).isEqualTo("1/2 done");
    assertThat(reporter.allWell()).isFalse();
  }
}
