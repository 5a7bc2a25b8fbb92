package gflow.job;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

/**
 * A part of one GPU, exact: counted in units of which a GPU has so many that halves, thirds and all
 * down to 1/36, their multiples, and thousandths are whole numbers. Sixteen sixteenths are one.
 */
public record GpuPart(long units) implements Comparable<GpuPart> {
  /** The least common multiple of 1 to 36, times 10: small enough to count a thousand GPUs. */
  private static final long OF_ONE = 1_444_035_528_936_000L;

  public static final GpuPart NONE = new GpuPart(0);
  public static final GpuPart WHOLE = new GpuPart(OF_ONE);
  private static final int SHORT = 4;

  public GpuPart {
    if (units < 0) {
      throw new IllegalArgumentException("less than nothing of a GPU: " + units);
    }
  }

  /** Whether such a part can be counted. */
  public static boolean isExact(BigInteger dividend, BigInteger divisor) {
    return BigInteger.valueOf(OF_ONE).multiply(dividend).mod(divisor).signum() == 0;
  }

  public static GpuPart of(BigInteger dividend, BigInteger divisor) {
    return new GpuPart(
        BigInteger.valueOf(OF_ONE).multiply(dividend).divide(divisor).longValueExact());
  }

  public static GpuPart of(long dividend, long divisor) {
    return of(BigInteger.valueOf(dividend), BigInteger.valueOf(divisor));
  }

  /** What {@link #value} came from: units are few enough for a double to tell them apart. */
  public static GpuPart of(double value) {
    return new GpuPart(Math.round(value * OF_ONE));
  }

  /** So many bytes as a part of a GPU with so many, rounded up to a thousandth. */
  public static GpuPart ofMemory(long bytes, long all) {
    return of(bytes >= all ? 1000 : Math.ceilDiv(1000 * bytes, all), 1000);
  }

  public double value() {
    return (double) units / OF_ONE;
  }

  public GpuPart plus(GpuPart other) {
    return new GpuPart(units + other.units);
  }

  /** Nothing where the other is more. */
  public GpuPart minus(GpuPart other) {
    return new GpuPart(Math.max(0, units - other.units));
  }

  public GpuPart times(int count) {
    return new GpuPart(Math.multiplyExact(units, count));
  }

  /** Rounded down, so that parts which sum up to one never exceed the whole. */
  public long of(long bytes) {
    return BigInteger.valueOf(bytes)
        .multiply(BigInteger.valueOf(units))
        .divide(BigInteger.valueOf(OF_ONE))
        .longValueExact();
  }

  public boolean isNone() {
    return units == 0;
  }

  @Override
  public int compareTo(GpuPart other) {
    return Long.compare(units, other.units);
  }

  /** {@code 0.25} where that is exact and short, {@code 1/3} where it is not. */
  @Override
  public String toString() {
    BigDecimal decimal =
        BigDecimal.valueOf(units).divide(BigDecimal.valueOf(OF_ONE), MathContext.DECIMAL64);
    if (decimal.stripTrailingZeros().scale() <= SHORT) {
      return decimal.stripTrailingZeros().toPlainString();
    }
    long common = BigInteger.valueOf(units).gcd(BigInteger.valueOf(OF_ONE)).longValueExact();
    return units / common + "/" + OF_ONE / common;
  }
}
