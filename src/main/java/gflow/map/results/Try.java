package gflow.map.results;

import gflow.map.items.Item;
import gflow.map.items.Placeholder;

/** One try of an item; the first has number 1. */
public record Try(Item item, int number, int slot) {
  public Placeholder in(String gpu) {
    return new Placeholder(slot, gpu, number);
  }
}
