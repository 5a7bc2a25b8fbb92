package gflow.map;

/** One try of an item; the first has number 1. */
record Try(Item item, int number, int slot) {}
