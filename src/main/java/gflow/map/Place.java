package gflow.map;

/**
 * Where an item runs: its slot from 0, its GPU ({@code ""} without one), and which try it is, from
 * 1.
 */
public record Place(int slot, String gpu, int attempt) {}
