package gflow.door;

import gflow.process.Proc.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The caller's soft limits as the words of {@code ulimit}, where they are not ours already. */
final class CallerLimits {
  /** A limit by the kernel's name, the shell's letter, and the bytes in the shell's unit. */
  private record Kind(String name, String letter, long unit) {}

  // Those that every shell counts alike; dash calls processes p, so the reader must try both.
  private static final List<Kind> KINDS =
      List.of(
          new Kind("Max cpu time", "t", 1),
          new Kind("Max file size", "f", 512),
          new Kind("Max data size", "d", 1024),
          new Kind("Max stack size", "s", 1024),
          new Kind("Max core file size", "c", 512),
          new Kind("Max processes", "u", 1),
          new Kind("Max open files", "n", 1),
          new Kind("Max locked memory", "l", 1024),
          new Kind("Max address space", "v", 1024));

  private CallerLimits() {}

  /** Each element is one call, such as {@code -S -n 1024}. */
  static List<String> differing(List<Limit> theirs, List<Limit> ours) {
    var words = new ArrayList<String>();
    for (Kind kind : KINDS) {
      var soft = soft(kind, theirs);
      if (soft.isPresent() && !soft.equals(soft(kind, ours))) {
        words.add("-S -" + kind.letter + " " + text(kind, soft.get()));
      }
    }
    return words;
  }

  private static Optional<OptionalLong> soft(Kind kind, List<Limit> limits) {
    return limits.stream()
        .filter(limit -> limit.name().equals(kind.name))
        .map(Limit::soft)
        .findFirst();
  }

  private static String text(Kind kind, OptionalLong value) {
    return value.isEmpty() ? "unlimited" : Long.toString(value.getAsLong() / kind.unit);
  }
}
