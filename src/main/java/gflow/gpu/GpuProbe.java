package gflow.gpu;

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

  boolean simulated();

  /** One line: where the inventory comes from, or why there is none. */
  String source();

  @Override
  void close();
}
