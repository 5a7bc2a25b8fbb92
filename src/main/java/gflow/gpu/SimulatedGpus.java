package gflow.gpu;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Cards that exist only in the books: always idle, never used by anybody else. */
record SimulatedGpus(List<GpuDevice> devices) implements GpuProbe {
  SimulatedGpus {
    devices = List.copyOf(devices);
  }

  @Override
  public List<GpuReading> sample() {
    return devices.stream().map(SimulatedGpus::idle).toList();
  }

  private static GpuReading idle(GpuDevice device) {
    return new GpuReading(
        device.id(),
        OptionalLong.of(0),
        OptionalInt.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        List.of(),
        Optional.empty());
  }

  @Override
  public boolean simulated() {
    return true;
  }

  @Override
  public String source() {
    return "simulated";
  }

  @Override
  public void close() {}
}
