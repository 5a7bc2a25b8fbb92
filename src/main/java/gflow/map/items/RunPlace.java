package gflow.map.items;

/**
 * Where an item runs: its slot from 0, its GPU ({@code ""} without one), and which try it is, from
 * 1.
 */
public record RunPlace(int slot, String gpu, int attempt) {}
