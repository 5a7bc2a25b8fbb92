package gflow.process;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * A process that has ended. Only of our own child does the kernel tell how: the raw wait status,
 * and CPU time and largest resident size of it and all that it waited for (if larger than ours).
 */
public record ProcessEnd(
    long pid, OptionalInt waitStatus, Optional<Duration> cpu, OptionalLong maxRssBytes) {
  static ProcessEnd unknown(long pid) {
    return new ProcessEnd(pid, OptionalInt.empty(), Optional.empty(), OptionalLong.empty());
  }

  static ProcessEnd of(long pid, Libc.Waited waited) {
    return new ProcessEnd(
        pid,
        OptionalInt.of(waited.status()),
        Optional.of(Duration.ofNanos(waited.cpuMicros() * 1000)),
        OwnPeakMemory.beyond(waited.maxRssBytes()));
  }

  /** The exit code, if it exited by itself. */
  public OptionalInt exitCode() {
    return waitStatus.isPresent() && signalBits() == 0
        ? OptionalInt.of(waitStatus.getAsInt() >> 8 & 0xff)
        : OptionalInt.empty();
  }

  /** The signal that killed it, if one did. */
  public OptionalInt signal() {
    return waitStatus.isPresent() && signalBits() != 0
        ? OptionalInt.of(signalBits())
        : OptionalInt.empty();
  }

  private int signalBits() {
    return waitStatus.getAsInt() & 0x7f;
  }
}
