package gflow.map.results;

import java.util.BitSet;

/** Which items have their line already, and how they went. */
public record DoneItems(BitSet good, BitSet failed) {
  static DoneItems none() {
    return new DoneItems(new BitSet(), new BitSet());
  }

  public boolean has(int index) {
    return good.get(index) || failed.get(index);
  }

  public int count() {
    return good.cardinality() + failed.cardinality();
  }
}
