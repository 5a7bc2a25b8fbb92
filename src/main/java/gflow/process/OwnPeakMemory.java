package gflow.process;

import java.io.UncheckedIOException;
import java.util.OptionalLong;

/**
 * The largest size that this process has had. A child of {@code posix_spawn} shares our memory
 * until its exec, and the kernel counts that as the child's own peak: a figure that is no larger
 * than ours says nothing of the child.
 */
final class OwnPeakMemory {
  private static volatile long bytes;

  private OwnPeakMemory() {}

  /** The figure, if it is the child's own and we could look at ours: no end waits for this. */
  static OptionalLong beyond(long childsPeak) {
    // Ours only grows, so it is read only where a figure looks like a child's own.
    try {
      bytes = exceeds(childsPeak) ? read() : bytes;
    } catch (UncheckedIOException e) {
      return OptionalLong.empty();
    }
    return exceeds(childsPeak) ? OptionalLong.of(childsPeak) : OptionalLong.empty();
  }

  /** The kernel's counters are exact to a few pages for each CPU. */
  private static boolean exceeds(long peak) {
    return peak > bytes + bytes / 16;
  }

  static long read() {
    return Proc.memory(Proc.self()).map(Proc.Memory::peak).orElse(0L);
  }
}
