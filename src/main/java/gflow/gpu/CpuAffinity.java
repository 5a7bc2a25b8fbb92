package gflow.gpu;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import gflow.job.Ranges;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;

/** The CPUs that are near a GPU, as NVML says: a bit for each, in words of 64. */
final class CpuAffinity {
  private static final Path POSSIBLE = Path.of("/sys/devices/system/cpu/possible");

  private CpuAffinity() {}

  /** Empty where the driver does not know. */
  static Ranges of(NvmlLibrary library, MemorySegment gpu) {
    int words = (cpus() + Long.SIZE - 1) / Long.SIZE;
    try (var arena = Arena.ofConfined()) {
      var mask = arena.allocate(JAVA_LONG, words);
      return library.call(NvmlLibrary.Function.CPU_AFFINITY, gpu, words, mask) == NvmlLibrary.OK
          ? ranges(mask.toArray(JAVA_LONG))
          : Ranges.EMPTY;
    }
  }

  static Ranges ranges(long[] mask) {
    return Ranges.ofAll(BitSet.valueOf(mask).stream().boxed().toList());
  }

  /** All CPUs of the machine, not only those that our own affinity leaves. */
  private static int cpus() {
    try {
      return highest(Files.readString(POSSIBLE)) + 1;
    } catch (IOException | NumberFormatException e) {
      return Math.max(1024, Runtime.getRuntime().availableProcessors());
    }
  }

  /** The last number of a list such as {@code 0-63,128-191}. */
  static int highest(String list) {
    return Integer.parseInt(list.strip().replaceAll(".*[,-]", ""));
  }
}
