package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Maps whose runner, items, client or daemon is killed: what they came to is what it should be. */
class GmapKillsIT {
  private static final long FIRST = Long.getLong("kills.seed", 0);
  private static final long SEEDS = Long.getLong("kills.seeds", 6);

  @Test
  void nothing_is_lost_and_nothing_that_has_its_line_is_done_again() throws Exception {
    List<Long> seeds = LongStream.range(FIRST, FIRST + SEEDS).boxed().toList();
    assertThat(KilledMaps.run(seeds)).isEmpty();
  }
}
