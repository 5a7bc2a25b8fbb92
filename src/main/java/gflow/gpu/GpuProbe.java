package gflow.gpu;

import java.util.List;

/** The way to the cards of this machine, real or simulated. */
public interface GpuProbe extends AutoCloseable {
  /** The inventory, by index. Read once when the probe was opened. */
  List<GpuDevice> devices();

  /**
   * One reading for each device, in the same order; none after {@link #close}. For one sampler
   * thread: a sick card can hold the driver for many seconds.
   */
  List<GpuReading> sample();

  boolean simulated();

  /** One line: where the inventory comes from, or why there is none. */
  String source();

  @Override
  void close();
}
