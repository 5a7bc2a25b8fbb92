package gflow.map.items;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.process.RawText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class NameListTest {
  private static List<String> sorted(List<String> names) {
    var list = new NameList();
    names.forEach(list::add);
    var sorted = new ArrayList<String>();
    list.sorted().forEachRemaining(sorted::add);
    return sorted;
  }

  @Test
  void names_come_back_in_the_order_of_their_bytes() {
    assertThat(sorted(List.of())).isEmpty();
    assertThat(sorted(List.of("b", "", "a", "a-b", "a/b", "\udcff", "\uffff", "ä", "\ud83d\ude00")))
        .containsExactly("", "a", "a-b", "a/b", "b", "ä", "\uffff", "\ud83d\ude00", "\udcff");
  }

  @Test
  void many_names_are_all_there() {
    var random = new Random(7);
    var names = new ArrayList<String>();
    for (int i = 0; i < 300_000; i++) {
      names.add("mol_" + random.nextInt(90_000) + ".xyz".repeat(random.nextInt(3)));
    }
    var expected = new ArrayList<>(names);
    expected.sort((a, b) -> Arrays.compareUnsigned(RawText.bytes(a), RawText.bytes(b)));
    assertThat(sorted(names)).isEqualTo(expected);
  }
}
