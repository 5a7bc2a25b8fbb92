package gflow.plan;

import gflow.job.Allocation.GpuGrant;
import gflow.job.GpuPart;
import gflow.job.GpuRequest;

/** How much of one GPU is promised. */
final class GpuBudget {
  final Gpu gpu;
  private int grants;
  private GpuPart parts = GpuPart.NONE;
  private long memory;

  GpuBudget(Gpu gpu) {
    this.gpu = gpu;
  }

  GpuBudget copy() {
    var copy = new GpuBudget(gpu);
    copy.grants = grants;
    copy.parts = parts;
    copy.memory = memory;
    return copy;
  }

  void take(GpuGrant grant) {
    grants++;
    parts = parts.plus(grant.part());
    memory += grant.memory();
  }

  void release(GpuGrant grant) {
    grants--;
    parts = parts.minus(grant.part());
    memory -= grant.memory();
  }

  /** Nobody has any part of it. */
  boolean isFree() {
    return grants == 0;
  }

  /** Something of it could be given to somebody. */
  boolean hasRoom() {
    return (gpu.usable() && isFree())
        || (gpu.shares() && (!partLeft().isNone() || memoryLeft() > 0));
  }

  boolean fits(GpuRequest request) {
    return switch (request) {
      case GpuRequest.None() -> true;
      case GpuRequest.Whole(int count) -> isFree();
      case GpuRequest.Shared shared -> fits(shared);
    };
  }

  private boolean fits(GpuRequest.Shared shared) {
    return hasPart(shared) && memoryLeft() >= shared.memoryOf(gpu.memory());
  }

  private boolean hasPart(GpuRequest.Shared shared) {
    return GpuPart.WHOLE.minus(parts).compareTo(shared.part()) >= 0;
  }

  GpuGrant grantFor(GpuRequest request) {
    return switch (request) {
      case GpuRequest.None() -> throw new IllegalStateException("no GPU was asked for");
      case GpuRequest.Whole(int count) -> grant(GpuPart.WHOLE, gpu.memory());
      case GpuRequest.Shared shared -> grant(shared.part(), shared.memoryOf(gpu.memory()));
    };
  }

  private GpuGrant grant(GpuPart part, long bytes) {
    return new GpuGrant(gpu.id(), gpu.index(), part, bytes);
  }

  /** Memory that was promised counts against the part: half of the memory is half of the GPU. */
  GpuPart partLeft() {
    GpuPart byShares = GpuPart.WHOLE.minus(parts);
    GpuPart byMemory =
        gpu.memory() == 0 ? GpuPart.WHOLE : GpuPart.of(Math.max(0, left()), gpu.memory());
    return byShares.compareTo(byMemory) < 0 ? byShares : byMemory;
  }

  /** Parts that make up the whole GPU leave no memory, but for bytes lost by rounding. */
  long memoryLeft() {
    return parts.compareTo(GpuPart.WHOLE) >= 0 ? 0 : Math.max(0, left());
  }

  private long left() {
    return gpu.memory() - memory - gpu.beyond();
  }

  /** Whether it would fit if nothing were in use but what is promised. */
  boolean isInUseBeyond(GpuRequest.Shared shared) {
    return gpu.beyond() > 0
        && !fits(shared)
        && hasPart(shared)
        && gpu.memory() - memory >= shared.memoryOf(gpu.memory());
  }

  /** Whether it would do if nobody else were there. */
  boolean isLargeEnough(GpuRequest.Shared shared) {
    return gpu.memory() >= shared.memoryOf(gpu.memory());
  }
}
