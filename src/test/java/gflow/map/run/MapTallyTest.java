package gflow.map.run;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.map.items.Item;
import gflow.map.results.DoneItems;
import gflow.map.results.ItemOutcome;
import gflow.map.results.Result;
import gflow.map.results.Try;
import java.time.Duration;
import java.time.Instant;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
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

    Map<String, Object> tree = Map.copyOf(tally.tree(at(10)));
    assertThat(tree).containsEntry("running", 1);
    assertThat((List<?>) tree.get("gpus"))
        .first()
        .isEqualTo(
            Map.of("gpu", "0", "items", 0, "running", 1, "busy_seconds", 7.0, "utilisation", 0.7));
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

    assertThat(tally.tree(at(10)))
        .containsEntry("item_seconds", 2.0)
        .containsEntry("speed_up", 0.2);
  }
}
