package gflow.gpu;

import java.util.List;

/** A machine without GPUs, which is a machine like any other. */
record NoGpus(String source) implements GpuProbe {
  @Override
  public List<GpuDevice> devices() {
    return List.of();
  }

  @Override
  public List<GpuReading> sample() {
    return List.of();
  }

  @Override
  public boolean simulated() {
    return false;
  }

  @Override
  public void close() {}
}
