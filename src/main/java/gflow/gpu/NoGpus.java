package gflow.gpu;

import java.util.List;
import java.util.Optional;

/** A machine without GPUs, which is a machine like any other. */
record NoGpus(String source) implements GpuProbe {
  @Override
  public List<GpuDevice> devices() {
    return List.of();
  }

  @Override
  public Optional<GpuReading> sample(GpuDevice device) {
    return Optional.empty();
  }

  @Override
  public boolean simulated() {
    return false;
  }

  @Override
  public void close() {}
}
