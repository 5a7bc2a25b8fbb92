package gflow.plan;

import gflow.job.GpuPart;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Amounts as people read them: {@code 32G}, {@code 0.25 GPU}, {@code 4 GPUs}. */
final class Amount {
  private static final String UNITS = "KMGT";

  private Amount() {}

  /** Exact: the largest unit in which one decimal is enough, so that nobody is told a rounding. */
  static String exactly(long bytes) {
    for (int unit = UNITS.length(); unit > 0; unit--) {
      BigDecimal value = in(unit, bytes);
      if (value.compareTo(BigDecimal.ONE) >= 0 && value.stripTrailingZeros().scale() <= 1) {
        return plain(value) + UNITS.charAt(unit - 1);
      }
    }
    return Long.toString(bytes);
  }

  /** Rounded down to one decimal: what is short by a byte must not look like enough. */
  static String atLeast(long bytes) {
    for (int unit = UNITS.length(); unit > 0; unit--) {
      BigDecimal value = in(unit, bytes).setScale(1, RoundingMode.DOWN);
      if (value.compareTo(BigDecimal.ONE) >= 0) {
        return plain(value) + UNITS.charAt(unit - 1);
      }
    }
    return Long.toString(Math.max(0, bytes));
  }

  /** What is left of a GPU, rounded down: what is short by little must not look like enough. */
  static String part(GpuPart left) {
    return plain(BigDecimal.valueOf(left.value()).setScale(3, RoundingMode.DOWN));
  }

  static String count(int n, String noun) {
    return n + " " + noun + (n == 1 ? "" : "s");
  }

  private static BigDecimal in(int unit, long bytes) {
    return BigDecimal.valueOf(bytes).divide(BigDecimal.valueOf(1L << (10 * unit)));
  }

  private static String plain(BigDecimal value) {
    return value.stripTrailingZeros().toPlainString();
  }
}
