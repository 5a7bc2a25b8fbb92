package gflow.map.results;

import gflow.map.items.Item;
import gflow.map.items.RunPlace;

/** One try of an item; the first has number 1. */
public record Try(Item item, int number, int slot) {
  public RunPlace in(String gpu) {
    return new RunPlace(slot, gpu, number);
  }
}
