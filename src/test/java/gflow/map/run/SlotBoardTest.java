package gflow.map.run;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.map.run.SlotBoard.Slot;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SlotBoardTest {
  @Test
  void slots_are_numbered_card_by_card_in_turns() {
    var board = new SlotBoard(2, OptionalInt.empty());

    assertThat(board.cards(List.of("0", "5"), Set.of()))
        .containsExactly(new Slot(0, "0"), new Slot(1, "5"), new Slot(2, "0"), new Slot(3, "5"));
  }

  @Test
  void cards_come_and_go_and_numbers_are_used_again() {
    var board = new SlotBoard(1, OptionalInt.empty());
    board.cards(List.of("0", "1", "2"), Set.of());
    board.without("1");

    assertThat(board.cards(List.of("0", "1", "2", "7"), Set.of("1")))
        .containsExactly(new Slot(1, "7"));
    assertThat(board.cards(List.of("0", "1", "2", "7"), Set.of()))
        .containsExactly(new Slot(3, "1"));
  }

  @Test
  void there_are_never_more_than_asked_for() {
    assertThat(new SlotBoard(4, OptionalInt.of(3)).cards(List.of("0", "1"), Set.of()))
        .containsExactly(new Slot(0, "0"), new Slot(1, "1"), new Slot(2, "0"));
    assertThat(new SlotBoard(1, OptionalInt.of(2)).plain(9)).hasSize(2);
  }
}
