package gflow.gpu;

import java.lang.foreign.MemorySegment;

/** A device and NVML's handle for it. */
record NvmlCard(GpuDevice device, MemorySegment handle) {}
