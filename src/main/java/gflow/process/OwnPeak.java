package gflow.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.UncheckedIOException;
import java.util.OptionalLong;

/**
 * The largest size that this process has had. A child of {@code posix_spawn} shares our memory
 * until its exec, and the kernel counts that as the child's own peak: a figure that is no larger
 * than ours says nothing of the child.
 */
final class OwnPeak {
  private static volatile long bytes;

  private OwnPeak() {}

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
    return Proc.file(Proc.self(), "status")
        .map(status -> kilobytes(new String(status, ISO_8859_1)) * 1024)
        .orElse(0L);
  }

  private static long kilobytes(String status) {
    int start = status.indexOf("VmHWM:") + 6;
    String line = status.substring(start, status.indexOf(" kB", start));
    return Long.parseLong(line.strip());
  }
}
