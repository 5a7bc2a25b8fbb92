package gflow.gpu;

import gflow.job.GpuId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What a GPU does now. Every figure may be absent: "n/a" is normal for some GPUs and drivers.
 * {@code trouble} means that nothing should be placed on the GPU, and says why.
 */
public record GpuReading(
    GpuId id,
    OptionalLong memoryUsed,
    OptionalInt utilization,
    OptionalInt temperature,
    Optional<Double> powerWatts,
    List<GpuProcess> compute,
    Optional<String> trouble,
    List<Sign> signs) {
  /** What matters for who may have the GPU. */
  public enum Sign {
    /** The driver lets one process compute there and no second. */
    EXCLUSIVE,
    /** The driver has lost it, or wants to reset it: it does not come back by itself. */
    LOST,
    /** A screen has some of its memory. */
    GRAPHICS
  }

  public GpuReading {
    compute = List.copyOf(compute);
    signs = List.copyOf(signs);
  }

  public GpuReading(
      GpuId id,
      OptionalLong memoryUsed,
      OptionalInt utilization,
      OptionalInt temperature,
      Optional<Double> powerWatts,
      List<GpuProcess> compute,
      Optional<String> trouble) {
    this(id, memoryUsed, utilization, temperature, powerWatts, compute, trouble, List.of());
  }

  /** How many programs share it by MPS; nothing without a server. */
  public OptionalInt mpsClients() {
    int clients = (int) compute.stream().filter(GpuProcess::mps).count();
    boolean server = clients > 0 || compute.stream().anyMatch(GpuProcess::isMpsServer);
    return server ? OptionalInt.of(clients) : OptionalInt.empty();
  }

  public boolean is(Sign sign) {
    return signs.contains(sign);
  }

  /** One that says nothing but this. */
  static GpuReading of(GpuId id, OptionalLong memoryUsed) {
    return new GpuReading(
        id,
        memoryUsed,
        OptionalInt.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        List.of(),
        Optional.empty());
  }

  /** Of a GPU that has said nothing yet. */
  public static GpuReading none(GpuId id) {
    return of(id, OptionalLong.empty());
  }

  /** The same, though nothing should be placed on the GPU. */
  public GpuReading with(String why) {
    return new GpuReading(
        id, memoryUsed, utilization, temperature, powerWatts, compute, Optional.of(why), signs);
  }
}
