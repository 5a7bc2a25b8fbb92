package gflow.gpu;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/**
 * Decides which processes make a GPU busy: those that compute (never Xorg), hold more memory than
 * {@code foreignMemory}, are not of our own jobs and not on the ignore list. Pure.
 */
public final class OutsiderRule {
  private static final Comparator<GpuProcess> LARGEST_FIRST =
      Comparator.comparingLong((GpuProcess p) -> p.memory().orElse(Long.MAX_VALUE))
          .reversed()
          .thenComparingLong(GpuProcess::pid);

  private OutsiderRule() {}

  /** The reason why the GPU is busy, such as {@code python of alice, pid 4711, 21.3G}. */
  public static Optional<String> busyBy(
      GpuReading reading,
      Predicate<Long> ours,
      long foreignMemory,
      List<String> ignoreUsers,
      List<String> ignoreCommands) {
    var outsiders =
        reading.compute().stream()
            .filter(p -> !ours.test(p.pid()))
            .filter(p -> !ignoreUsers.contains(p.user()) && !ignoreCommands.contains(p.command()))
            .filter(p -> holds(p, reading.memoryUsed()) > foreignMemory)
            .sorted(LARGEST_FIRST)
            .toList();
    return outsiders.stream().findFirst().map(p -> words(p) + more(outsiders.size() - 1));
  }

  /**
   * Where the driver does not say what a process holds, it may hold all that is used on the GPU;
   * where that is unknown too, the GPU is left alone rather than given out on top of somebody.
   */
  private static long holds(GpuProcess process, OptionalLong usedOnGpu) {
    return process.memory().orElse(usedOnGpu.orElse(Long.MAX_VALUE));
  }

  private static String words(GpuProcess process) {
    String who =
        process.seen()
            ? process.command() + " of " + process.user() + ", pid " + process.pid()
            : "process " + process.pid() + ", which is not visible here";
    return who + (process.memory().isPresent() ? ", " + size(process.memory().getAsLong()) : "");
  }

  private static String more(int others) {
    return others == 0 ? "" : " and " + others + " more";
  }

  private static String size(long bytes) {
    return bytes < 1L << 30
        ? (bytes >> 20) + "M"
        : String.format(Locale.ROOT, "%.1fG", bytes / (double) (1L << 30));
  }
}
