package gflow.job;

import java.util.OptionalInt;

/**
 * What an attempt was seen to do with its GPUs, over so many looks. The use, in percent of the
 * time, is that of the GPUs, whoever else is on them; the memory is its own, on all of them.
 */
public record GpuUse(
    int looks, OptionalInt meanUse, OptionalInt peakUse, long meanMemory, long peakMemory) {}
