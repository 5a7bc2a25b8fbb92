/**
 * The GPUs of this machine: which there are, what they do now, and who else uses them. NVML through
 * the FFM API, never CUDA, because a CUDA context would itself take memory on every GPU; or
 * simulated GPUs. A machine without GPUs is an empty list and a line that says why.
 */
@NullMarked
package gflow.gpu;

import org.jspecify.annotations.NullMarked;
