package gflow.gpu;

import java.lang.foreign.MemorySegment;

/** A device and NVML's handle for it. */
record NvmlGpu(GpuDevice device, MemorySegment handle) {}
