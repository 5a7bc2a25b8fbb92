package gflow.map.run;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.map.items.Item;
import gflow.map.results.DoneItems;
import gflow.map.results.ItemOutcome;
import gflow.map.results.MapProgress;
import gflow.map.results.Result;
import gflow.map.results.Try;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MapTallyTest {
  private static final Instant T0 = Instant.parse("2026-11-15T12:00:00Z");

  private static Instant at(int seconds) {
    return T0.plusSeconds(seconds);
  }

  @Test
  void a_card_is_busy_while_it_has_an_item_however_many() {
    var tally = new MapTally(4, new DoneItems(new BitSet(), new BitSet()), T0);
    tally.began("0", at(0));
    tally.began("0", at(1));
    tally.tried("0", at(4));
    tally.tried("0", at(5));
    tally.began("0", at(8));

    MapProgress progress = tally.progress(at(10));
    assertThat(progress.running()).isEqualTo(1);
    assertThat(progress.gpus())
        .containsExactly(new MapProgress.Gpu(Optional.of("0"), 0, 1, 7.0, 0.7));
  }

  /** Tries that were in vain took time, too, but they are not what a line says. */
  @Test
  void the_speed_up_is_of_the_lines() {
    var tally = new MapTally(2, new DoneItems(new BitSet(), new BitSet()), T0);
    tally.began("", at(0));
    tally.tried("", at(6));
    tally.began("", at(6));
    tally.tried("", at(8));
    var last = new Try(Item.of(0, "a"), 2, 0);
    tally.ended(
        new Result(
            last,
            "",
            new ItemOutcome.Exited(0),
            at(6),
            Duration.ofSeconds(2),
            Result.Said.NOTHING));

    assertThat(tally.progress(at(10)).itemSeconds()).isEqualTo(2.0);
    assertThat(tally.progress(at(10)).speedUp()).isEqualTo(0.2);
  }
}
