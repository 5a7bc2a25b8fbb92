package gflow.daemon.core;

import gflow.gpu.GpuReading;
import gflow.gpu.GpuReading.Sign;
import gflow.job.GpuId;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Memory that is still in use on a GPU after the last process of our jobs is gone from it: the
 * driver, or a process stuck in it, has not given it back. Judged only where we have seen our own
 * processes: in some containers the driver shows none.
 */
public final class LeftMemory {
  /** So often in a row it must be seen. */
  static final int LOOKS = 5;

  private final TreeSet<GpuId> used = new TreeSet<>();
  private final TreeMap<GpuId, Integer> looks = new TreeMap<>();

  /** What was seen: {@code bytes} of none at all mean that the GPU is clean. */
  record Left(long bytes, boolean stays) {}

  /**
   * {@code ours}: processes of our jobs are there; {@code held}: a job has the GPU. Empty where one
   * cannot say.
   */
  Optional<Left> see(GpuReading reading, boolean ours, boolean held, long little) {
    GpuId gpu = reading.id();
    boolean unclear =
        held
            || reading.trouble().isPresent()
            || reading.memoryUsed().isEmpty()
            || !reading.compute().isEmpty();
    if (ours) {
      used.add(gpu);
    }
    if (ours || unclear) {
      looks.remove(gpu);
      return Optional.empty();
    }
    if (reading.memoryUsed().getAsLong() <= little) {
      forgive(gpu);
      return Optional.of(new Left(0, false));
    }
    if (!used.contains(gpu) || reading.is(Sign.GRAPHICS)) {
      return Optional.empty();
    }
    int count = looks.merge(gpu, 1, Integer::sum);
    return Optional.of(new Left(reading.memoryUsed().getAsLong(), count >= LOOKS));
  }

  /** Whatever is there is nobody's concern until our jobs have used the GPU again. */
  void forgive(GpuId gpu) {
    used.remove(gpu);
    looks.remove(gpu);
  }
}
