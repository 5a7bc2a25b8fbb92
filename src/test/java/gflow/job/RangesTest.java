package gflow.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.job.Ranges.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RangesTest {
  @Test
  void it_is_written_as_slurm_does() {
    assertThat(Ranges.ofAll(List.of(12, 0, 10, 5, 9, 11, 5))).hasToString("0,5,9-12");
    assertThat(Ranges.EMPTY).hasToString("");
  }

  @Test
  void a_million_is_one_range() {
    assertThat(Ranges.firstN(1_000_000).parts()).containsExactly(new Range(0, 999_999));
    assertThat(Ranges.firstN(0)).isEqualTo(Ranges.EMPTY);
  }

  @Test
  void parts_that_touch_overlap_or_are_out_of_order_are_refused() {
    for (var second : List.of(new Range(5, 9), new Range(4, 9), new Range(0, 0))) {
      assertThatThrownBy(() -> new Ranges(List.of(new Range(2, 4), second)))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> new Range(3, 2)).hasMessage("not a range: 3-2");
    assertThatThrownBy(() -> new Range(-1, 2)).hasMessage("not a range: -1-2");
  }

  @Test
  void there_is_no_number_behind_the_last() {
    assertThatThrownBy(() -> Ranges.of(3, 4).get(2)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void it_does_what_a_tree_set_does(long seed) {
    var random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      TreeSet<Integer> a = numbers(random);
      TreeSet<Integer> b = numbers(random);
      int n = random.nextInt(40);
      same(Ranges.ofAll(a), a);
      same(Ranges.ofAll(a).union(Ranges.ofAll(b)), both(a, b));
      same(Ranges.ofAll(a).minus(Ranges.ofAll(b)), without(a, b));
      same(Ranges.ofAll(a).intersect(Ranges.ofAll(b)), without(a, without(a, b)));
      same(Ranges.ofAll(a).with(n), both(a, new TreeSet<>(List.of(n))));
      same(Ranges.ofAll(a).without(n), without(a, new TreeSet<>(List.of(n))));
    }
  }

  private static void same(Ranges ranges, TreeSet<Integer> numbers) {
    var inOrder = new ArrayList<>(numbers);
    assertThat(ranges.stream().boxed().toList()).isEqualTo(inOrder);
    assertThat(ranges.size()).isEqualTo(numbers.size());
    assertThat(ranges.isEmpty()).isEqualTo(numbers.isEmpty());
    for (int n = 0; n < 42; n++) {
      assertThat(ranges.contains(n)).isEqualTo(numbers.contains(n));
      assertThat(ranges.indexOf(n)).isEqualTo(inOrder.indexOf(n));
    }
    for (int k = 0; k < inOrder.size(); k++) {
      assertThat(ranges.get(k)).isEqualTo(inOrder.get(k));
    }
    if (!numbers.isEmpty()) {
      assertThat(ranges.first()).isEqualTo(numbers.first());
      assertThat(ranges.last()).isEqualTo(numbers.last());
    }
  }

  private static TreeSet<Integer> numbers(Random random) {
    var numbers = new TreeSet<Integer>();
    random.ints(random.nextInt(25), 0, 40).forEach(numbers::add);
    return numbers;
  }

  private static TreeSet<Integer> both(TreeSet<Integer> a, TreeSet<Integer> b) {
    var all = new TreeSet<>(a);
    all.addAll(b);
    return all;
  }

  private static TreeSet<Integer> without(TreeSet<Integer> a, TreeSet<Integer> b) {
    var left = new TreeSet<>(a);
    left.removeAll(b);
    return left;
  }
}
