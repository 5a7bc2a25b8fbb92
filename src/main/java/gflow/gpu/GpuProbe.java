package gflow.gpu;

import gflow.job.GpuId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The way to the GPUs of this machine, real or simulated. */
public interface GpuProbe extends AutoCloseable {
  /** The inventory, by index. Read once when the probe was opened. */
  List<GpuDevice> devices();

  /**
   * A reading of one of the devices; none after {@link #close}. A sick GPU can hold the driver for
   * ever: for one platform thread per device, since who calls again waits for nothing.
   */
  Optional<GpuReading> sample(GpuDevice device);

  /** The N of its device file nvidiaN, which is not its index; empty where it is not known. */
  default OptionalInt deviceNumber(GpuDevice device) {
    return OptionalInt.empty();
  }

  /** An error of a GPU of which the driver tells by itself. */
  record Fault(GpuId gpu, Xid xid) {}

  /** Whether the driver tells of errors by itself. */
  default boolean tellsFaults() {
    return false;
  }

  /** Waits so long for an error; none after {@link #close}. For one platform thread. */
  default Optional<Fault> awaitFault(Duration wait) {
    return Optional.empty();
  }

  boolean simulated();

  /** One line: where the inventory comes from, or why there is none. */
  String source();

  @Override
  void close();
}
