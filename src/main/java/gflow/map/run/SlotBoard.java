package gflow.map.run;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Which slots there are: so many on each card, numbered card by card in turns, so that the first
 * items spread over all cards. Cards come and go; a number that is free is used again. Where there
 * are no cards, all slots are on one that has no name.
 */
record SlotBoard(int perCard, OptionalInt most) {
  /** These are the cards now, some of them to be left; what is to be added to what is open. */
  List<Slot> missing(List<String> cards, Set<String> leaving, Collection<Slot> open) {
    var all = new ArrayList<>(open);
    var numbers = new BitSet();
    open.forEach(slot -> numbers.set(slot.number()));
    for (int round = 1; round <= perCard; round++) {
      for (String card : cards) {
        boolean room = all.size() < most.orElse(Integer.MAX_VALUE);
        if (room && !leaving.contains(card) && count(all, card) < round) {
          var slot = new Slot(numbers.nextClearBit(0), card);
          numbers.set(slot.number());
          all.add(slot);
        }
      }
    }
    return all.subList(open.size(), all.size());
  }

  private static long count(List<Slot> slots, String card) {
    return slots.stream().filter(slot -> slot.gpu().equals(card)).count();
  }
}
