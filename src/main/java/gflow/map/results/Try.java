package gflow.map.results;

import gflow.map.items.Item;

/** One try of an item; the first has number 1. */
public record Try(Item item, int number, int slot) {}
