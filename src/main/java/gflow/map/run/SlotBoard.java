package gflow.map.run;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Which slots there are: so many on each GPU, numbered GPU by GPU in turns, so that the first items
 * spread over all GPUs. GPUs come and go; a number that is free is used again. Where there are no
 * GPUs, all slots are on one that has no name.
 */
record SlotBoard(int perGpu, OptionalInt most) {
  /** These are the GPUs now, some of them to be left; what is to be added to what is open. */
  List<Slot> missing(List<String> gpus, Set<String> leaving, Collection<Slot> open) {
    var all = new ArrayList<>(open);
    var numbers = new BitSet();
    open.forEach(slot -> numbers.set(slot.number()));
    for (int round = 1; round <= perGpu; round++) {
      for (String gpu : gpus) {
        boolean room = all.size() < most.orElse(Integer.MAX_VALUE);
        if (room && !leaving.contains(gpu) && count(all, gpu) < round) {
          var slot = new Slot(numbers.nextClearBit(0), gpu);
          numbers.set(slot.number());
          all.add(slot);
        }
      }
    }
    return all.subList(open.size(), all.size());
  }

  private static long count(List<Slot> slots, String gpu) {
    return slots.stream().filter(slot -> slot.gpu().equals(gpu)).count();
  }
}
