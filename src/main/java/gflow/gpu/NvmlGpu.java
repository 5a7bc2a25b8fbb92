package gflow.gpu;

import java.lang.foreign.MemorySegment;
import java.util.OptionalInt;

/** A device, NVML's handle for it, and the number of its device file where the driver tells it. */
record NvmlGpu(GpuDevice device, MemorySegment handle, OptionalInt minor) {}
