package gflow.gpu;

import java.time.Duration;
import java.util.Optional;

/** Opens the GPUs that a word names. */
public final class Gpus {
  private static final String LIBRARY = "libnvidia-ml.so.1";

  /** Without its persistence mode the driver starts each GPU anew, which takes seconds. */
  private static final Duration PATIENCE = Duration.ofSeconds(25);

  private Gpus() {}

  /**
   * Opens {@code nvml} (also the empty word), {@code none}, or {@code sim:…} such as {@code
   * sim:4x24G}, {@code sim:a100:2x80G,2x24G} and {@code sim:0}. A machine whose driver is missing
   * or broken is a machine without GPUs, never an exception: {@link GpuProbe#source} says why.
   *
   * @param inheritedVisible CUDA_VISIBLE_DEVICES of the daemon; of the real GPUs only what it
   *     leaves is ours. Simulated GPUs are nobody else's, so it does not touch them.
   */
  public static GpuProbe open(String spec, Optional<String> inheritedVisible) throws BadGpuSpec {
    String word = spec.strip();
    if (word.startsWith("sim:")) {
      return new SimulatedGpus(SimSpec.parse(word.substring("sim:".length()).strip()));
    }
    return switch (word) {
      case "none" -> new NoGpus("none: as configured");
      // Another library by property, so that the tests can drive the real binding with a stub.
      case "", "nvml" ->
          NvmlInventory.open(System.getProperty("gflow.nvml", LIBRARY), inheritedVisible, PATIENCE);
      default ->
          throw new BadGpuSpec(
              "GPUs: '" + word + "' is none of nvml, none, sim:4x24G, sim:a100:2x80G,2x24G, sim:0");
    };
  }
}
