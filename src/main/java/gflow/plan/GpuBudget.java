package gflow.plan;

import gflow.job.Allocation.GpuGrant;
import gflow.job.GpuRequest;

/** How much of one GPU is promised. */
final class GpuBudget {
  final Gpu gpu;
  private int grants;
  private int thousandths;
  private long memory;

  GpuBudget(Gpu gpu) {
    this.gpu = gpu;
  }

  GpuBudget copy() {
    var copy = new GpuBudget(gpu);
    copy.grants = grants;
    copy.thousandths = thousandths;
    copy.memory = memory;
    return copy;
  }

  void take(GpuGrant grant) {
    count(grant, 1);
  }

  void release(GpuGrant grant) {
    count(grant, -1);
  }

  private void count(GpuGrant grant, int sign) {
    grants += sign;
    thousandths += sign * grant.thousandths();
    memory += sign * grant.memory();
  }

  /** Nobody has any part of it. */
  boolean isFree() {
    return grants == 0;
  }

  /** Something of it could be given to somebody. */
  boolean hasRoom() {
    return gpu.usable() && (isFree() || shareLeft() > 0 || memoryLeft() > 0);
  }

  boolean fits(GpuRequest request) {
    return switch (request) {
      case GpuRequest.None() -> true;
      case GpuRequest.Whole(int count) -> isFree();
      case GpuRequest.Share(int part) -> shareLeft() >= part;
      case GpuRequest.Memory(long bytes) -> memoryLeft() >= bytes;
    };
  }

  /** What is left for such a request, in its own unit; used to compare GPUs. */
  long room(GpuRequest request) {
    return switch (request) {
      case GpuRequest.None _, GpuRequest.Whole _ -> isFree() ? GpuRequest.WHOLE : 0;
      case GpuRequest.Share(int part) -> shareLeft();
      case GpuRequest.Memory(long bytes) -> memoryLeft();
    };
  }

  GpuGrant grantFor(GpuRequest request) {
    return switch (request) {
      case GpuRequest.None() -> throw new IllegalStateException("no GPU was asked for");
      case GpuRequest.Whole(int count) -> grant(GpuRequest.WHOLE, gpu.memory());
      // Rounded down, so that shares which sum up to one never exceed the memory.
      case GpuRequest.Share(int part) -> grant(part, gpu.memory() * part / GpuRequest.WHOLE);
      case GpuRequest.Memory(long bytes) -> grant(0, bytes);
    };
  }

  private GpuGrant grant(int part, long bytes) {
    return new GpuGrant(gpu.id(), gpu.index(), part, bytes);
  }

  /** Memory that was promised counts against the share: half of the memory is half of the GPU. */
  private int shareLeft() {
    long byMemory =
        gpu.memory() == 0
            ? GpuRequest.WHOLE
            : (gpu.memory() - memory) * GpuRequest.WHOLE / gpu.memory();
    return (int) Math.max(0, Math.min(GpuRequest.WHOLE - thousandths, byMemory));
  }

  /** Shares that make up the whole GPU leave no memory, but for bytes lost by rounding. */
  private long memoryLeft() {
    return thousandths >= GpuRequest.WHOLE ? 0 : Math.max(0, gpu.memory() - memory);
  }
}
