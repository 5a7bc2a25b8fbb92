package gflow.map.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SlotBoardTest {
  private static final List<Slot> NONE = List.of();

  @Test
  void slots_are_numbered_gpu_by_gpu_in_turns() {
    var board = new SlotBoard(2, OptionalInt.empty());

    assertThat(board.missing(List.of("0", "5"), Set.of(), NONE))
        .containsExactly(new Slot(0, "0"), new Slot(1, "5"), new Slot(2, "0"), new Slot(3, "5"));
  }

  @Test
  void gpus_come_and_go_and_numbers_are_used_again() {
    var board = new SlotBoard(1, OptionalInt.empty());
    var open = new ArrayList<>(List.of(new Slot(0, "0"), new Slot(2, "2")));

    assertThat(board.missing(List.of("0", "1", "2", "7"), Set.of("1"), open))
        .containsExactly(new Slot(1, "7"));
    open.add(new Slot(1, "7"));
    assertThat(board.missing(List.of("0", "1", "2", "7"), Set.of(), open))
        .containsExactly(new Slot(3, "1"));
  }

  @Test
  void there_are_never_more_than_asked_for() {
    assertThat(new SlotBoard(4, OptionalInt.of(3)).missing(List.of("0", "1"), Set.of(), NONE))
        .containsExactly(new Slot(0, "0"), new Slot(1, "1"), new Slot(2, "0"));
    assertThat(new SlotBoard(9, OptionalInt.of(2)).missing(List.of(""), Set.of(), NONE))
        .containsExactly(new Slot(0, ""), new Slot(1, ""));
  }
}
