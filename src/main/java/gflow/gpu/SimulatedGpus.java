package gflow.gpu;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** GPUs that exist only in the books: always idle, never used by anybody else. */
record SimulatedGpus(List<GpuDevice> devices) implements GpuProbe {
  SimulatedGpus {
    devices = List.copyOf(devices);
  }

  @Override
  public Optional<GpuReading> sample(GpuDevice device) {
    return Optional.of(GpuReading.of(device.id(), OptionalLong.of(0)));
  }

  @Override
  public OptionalInt deviceNumber(GpuDevice device) {
    return OptionalInt.of(device.index());
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
