package gflow.map.run;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.RetryOn;
import gflow.map.items.Item;
import gflow.map.results.ItemOutcome;
import gflow.map.results.Try;
import gflow.map.run.Dealer.Rules;
import gflow.map.run.Dealer.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DealerTest {
  private static final Instant NOW = Instant.parse("2026-11-15T08:00:00Z");
  private static final ItemOutcome GOOD = new ItemOutcome.Exited(0);
  private static final ItemOutcome BAD = new ItemOutcome.Exited(3);

  private static Dealer dealer(int items, Rules rules) {
    return new Dealer(
        () -> IntStream.range(0, items).mapToObj(i -> Item.of(i, "i" + i)).iterator(),
        _ -> false,
        items,
        rules);
  }

  private static Rules rules(int retries, long mostFailures, int fixed) {
    var most = mostFailures < 0 ? OptionalLong.empty() : OptionalLong.of(mostFailures);
    return new Rules(retries, Duration.ofSeconds(1), most, fixed);
  }

  private static int index(Dealer dealer, int slot) {
    return dealer.deal(slot, NOW).map(Try::item).map(Item::index).orElse(-1);
  }

  @Test
  void the_first_go_to_the_slots_in_order_and_later_ones_to_whichever_is_free() {
    var dealer = dealer(5, Rules.PLAIN);
    Try first = dealer.deal(0, NOW).orElseThrow();
    assertThat(index(dealer, 1)).isEqualTo(1);
    assertThat(index(dealer, 2)).isEqualTo(2);

    assertThat(dealer.ended(first, GOOD, NOW)).isEqualTo(new Verdict.Final());
    assertThat(index(dealer, 0)).isEqualTo(3);
  }

  @Test
  void a_fixed_slot_gets_each_nth_item_and_no_other() {
    var dealer = dealer(17, rules(0, -1, 8));

    assertThat(index(dealer, 0)).isZero();
    assertThat(index(dealer, 0)).isEqualTo(8);
    assertThat(index(dealer, 0)).isEqualTo(16);
    assertThat(index(dealer, 0)).isEqualTo(-1);
    assertThat(index(dealer, 7)).isEqualTo(7);
  }

  @Test
  void what_failed_is_tried_again_after_a_pause_that_doubles_and_then_given_up() {
    var dealer = dealer(1, rules(2, -1, 0));
    Try first = dealer.deal(0, NOW).orElseThrow();
    assertThat(dealer.ended(first, BAD, NOW)).isEqualTo(new Verdict.Again(NOW.plusSeconds(1)));
    assertThat(dealer.deal(0, NOW)).isEmpty();
    assertThat(dealer.over()).isFalse();
    assertThat(dealer.nextDue()).contains(NOW.plusSeconds(1));

    Try second = dealer.deal(3, NOW.plusSeconds(1)).orElseThrow();
    assertThat(second.number()).isEqualTo(2);
    var again = new Verdict.Again(NOW.plusSeconds(3));
    assertThat(dealer.ended(second, BAD, NOW.plusSeconds(1))).isEqualTo(again);
    Try third = dealer.deal(0, NOW.plusSeconds(3)).orElseThrow();
    assertThat(dealer.ended(third, BAD, NOW.plusSeconds(3))).isEqualTo(new Verdict.Final());
    assertThat(dealer.over()).isTrue();
  }

  @Test
  void after_too_many_failures_nothing_more_is_dealt() {
    var dealer = dealer(10, rules(0, 1, 0));
    for (int i = 0; i < 2; i++) {
      assertThat(dealer.over()).isFalse();
      dealer.ended(dealer.deal(0, NOW).orElseThrow(), BAD, NOW);
    }

    assertThat(dealer.deal(0, NOW)).isEmpty();
    assertThat(dealer.tooManyFailures()).isTrue();
    assertThat(dealer.over()).isTrue();
  }

  @Test
  void what_was_abandoned_has_no_verdict() {
    var dealer = dealer(1, rules(5, 0, 0));
    Try only = dealer.deal(0, NOW).orElseThrow();
    dealer.close();

    assertThat(dealer.ended(only, new ItemOutcome.Abandoned(), NOW))
        .isEqualTo(new Verdict.Nothing());
    assertThat(dealer.tooManyFailures()).isFalse();
  }

  @Test
  void every_item_has_one_end_whatever_happens() {
    for (long seed = 0; seed < 200; seed++) {
      play(new Random(seed));
    }
  }

  private static void play(Random random) {
    int count = random.nextInt(40);
    int slots = 1 + random.nextInt(5);
    int retries = random.nextInt(3);
    int fixed = random.nextBoolean() ? slots : 0;
    var dealer = dealer(count, rules(retries, -1, fixed));
    var running = new TreeMap<Integer, Try>();
    var ends = new ArrayList<Integer>();
    Instant now = NOW;
    while (true) {
      for (int slot = 0; slot < slots; slot++) {
        if (!running.containsKey(slot)) {
          var next = dealer.deal(slot, now);
          if (next.isPresent()) {
            running.put(slot, next.get());
          }
        }
      }
      if (running.isEmpty() && dealer.nextDue().isEmpty()) {
        break;
      }
      now = now.plusMillis(random.nextInt(3000));
      for (int slot : new TreeSet<>(running.keySet())) {
        if (random.nextInt(3) == 0) {
          Try done = running.remove(slot);
          if (random.nextInt(9) == 0) {
            dealer.back(done, now);
          } else if (dealer.ended(done, random.nextBoolean() ? GOOD : BAD, now)
              instanceof Verdict.Final) {
            assertThat(done.number()).isBetween(1, retries + 1);
            ends.add(done.item().index());
          }
        }
      }
    }
    List<Integer> all = IntStream.range(0, count).boxed().toList();
    assertThat(ends).containsExactlyInAnyOrderElementsOf(all);
    assertThat(dealer.over()).isTrue();
  }

  private static final ItemOutcome SHARED = new ItemOutcome.OutOfGpuMemory(1, false);
  private static final ItemOutcome ALONE = new ItemOutcome.OutOfGpuMemory(1, true);

  @Test
  void who_ran_out_of_gpu_memory_beside_others_has_its_gpu_alone_once_and_for_free() {
    Dealer dealer = dealer(3, rules(0, -1, 0));
    Try first = dealer.deal(1, NOW).orElseThrow();

    assertThat(dealer.ended(first, SHARED, NOW)).isEqualTo(new Verdict.Again(NOW));
    assertThat(dealer.aloneSlot()).hasValue(1);
    assertThat(dealer.deal(0, NOW).orElseThrow().item().index()).isEqualTo(1);
    Try again = dealer.deal(1, NOW).orElseThrow();
    assertThat(again).isEqualTo(new Try(first.item(), 2, 1));
    assertThat(dealer.isAlone()).isTrue();
    assertThat(dealer.ended(again, SHARED, NOW)).isEqualTo(new Verdict.Final());
    assertThat(dealer.aloneSlot()).isEmpty();
  }

  @Test
  void who_was_alone_and_had_no_memory_is_not_tried_again_whatever_was_asked_for() {
    var any = List.of(RetryOn.values());
    var rules = new Rules(5, Duration.ofSeconds(1), OptionalLong.empty(), 0, any);
    Dealer dealer = dealer(1, rules);

    Try only = dealer.deal(0, NOW).orElseThrow();
    assertThat(dealer.ended(only, ALONE, NOW)).isEqualTo(new Verdict.Final());
  }

  @Test
  void only_what_was_named_is_tried_again() {
    var late = new ItemOutcome.TimedOut(Duration.ofSeconds(3));
    Dealer usual = dealer(1, rules(1, -1, 0));
    var words = List.of(RetryOn.TIMEOUT);
    var rules = new Rules(1, Duration.ofSeconds(1), OptionalLong.empty(), 0, words);
    Dealer timeouts = dealer(2, rules);

    assertThat(usual.ended(usual.deal(0, NOW).orElseThrow(), late, NOW))
        .isEqualTo(new Verdict.Final());
    assertThat(timeouts.ended(timeouts.deal(0, NOW).orElseThrow(), late, NOW))
        .isEqualTo(new Verdict.Again(NOW.plusSeconds(1)));
    assertThat(timeouts.ended(timeouts.deal(0, NOW).orElseThrow(), BAD, NOW))
        .isEqualTo(new Verdict.Final());
  }
}
