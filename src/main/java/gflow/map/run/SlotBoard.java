package gflow.map.run;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which slots there are: so many on each card, numbered card by card in turns, so that the first
 * items spread over all cards. Cards come and go; a number that is free is used again.
 */
final class SlotBoard {
  /** {@code gpu} is empty where there are no cards. */
  record Slot(int number, String gpu) {}

  private final int perCard;
  private final OptionalInt most;
  private final SortedMap<Integer, Slot> open = new TreeMap<>();

  SlotBoard(int perCard, OptionalInt most) {
    this.perCard = perCard;
    this.most = most;
  }

  /** These are the cards now, some of them to be left; returns the slots that are new. */
  List<Slot> cards(List<String> cards, Set<String> leaving) {
    var added = new ArrayList<Slot>();
    for (int round = 1; round <= perCard; round++) {
      for (String card : cards) {
        if (!leaving.contains(card) && count(card) < round && room()) {
          var slot = new Slot(lowestFree(), card);
          open.put(slot.number(), slot);
          added.add(slot);
        }
      }
    }
    return added;
  }

  /** The same on a machine without cards. */
  List<Slot> plain(int count) {
    for (int number = 0; number < count && room(); number++) {
      open.put(number, new Slot(number, ""));
    }
    return List.copyOf(open.values());
  }

  void without(String card) {
    open.values().removeIf(slot -> slot.gpu().equals(card));
  }

  private boolean room() {
    return most.isEmpty() || open.size() < most.getAsInt();
  }

  private long count(String card) {
    return open.values().stream().filter(slot -> slot.gpu().equals(card)).count();
  }

  private int lowestFree() {
    int number = 0;
    while (open.containsKey(number)) {
      number++;
    }
    return number;
  }
}
