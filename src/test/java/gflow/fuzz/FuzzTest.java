package gflow.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.LongRuns;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** {@code make fuzz N=1000000 SEED=7} for a long one. */
@Execution(ExecutionMode.CONCURRENT)
class FuzzTest {
  @TempDir Path folder;

  @Test
  void wrong_requests_and_command_lines_are_answered_and_do_no_harm() throws Exception {
    int count = Integer.getInteger("fuzz.n", 5_000);
    long seed = Long.getLong("fuzz.seed", 1);
    try (var fuzzer = new Fuzzer(folder, seed)) {
      assertThat(fuzzer.run(count)).as("seed %d", seed).isEmpty();
    }
    LongRuns.note(
        "make fuzz N=%d SEED=%d".formatted(count, seed),
        count
            + " wrong requests and command lines: no death, no hang, no trace, nothing half done");
  }
}
