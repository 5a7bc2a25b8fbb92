package gflow.map.run;

/** Where one item runs at a time; {@code gpu} is empty where there are no GPUs. */
record Slot(int number, String gpu) {}
