package gflow.script.value;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes of memory, in powers of 1024; a bare number is megabytes, as in Slurm. */
public final class Sizes {
  private static final Pattern SIZE = Pattern.compile("(\\d{1,12})\\s?([kmgt]?)(i?b)?");
  private static final Pattern FRACTION =
      Pattern.compile("(\\d{1,6}\\.\\d{1,3})\\s?([mgt])(?:i?b)?");
  private static final long MOST = 1L << 50;
  private static final String UNITS = "BKMGTP";

  private Sizes() {}

  /** In bytes. */
  public static long parse(String text) throws BadInput {
    Matcher matcher = SIZE.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      Matcher fraction = FRACTION.matcher(text.strip().toLowerCase(Locale.ROOT));
      if (fraction.matches()) {
        throw new BadInput("size '" + text + "' has a fraction; write " + whole(fraction));
      }
      throw new BadInput("size '" + text + "' is not understood; write 4G, 500M or a number of MB");
    }
    String unit = matcher.group(2);
    int shift = unit.isEmpty() ? 20 : 10 * ("kmgt".indexOf(unit) + 1);
    long number = Long.parseLong(matcher.group(1));
    if (number > MOST >> shift) {
      throw new BadInput(
          "size '" + text + "' is more than 1024T; write 4G, 500M or a number of MB");
    }
    return number << shift;
  }

  /** In the next smaller unit; Slurm takes no fractions either. */
  private static String whole(Matcher fraction) {
    double smaller = Double.parseDouble(fraction.group(1)) * 1024;
    int unit = "mgt".indexOf(fraction.group(2));
    return (long) Math.ceil(smaller) + "KMG".substring(unit, unit + 1);
  }

  /** The shortest exact form: {@code 24G}, {@code 1536M}. */
  public static String format(long bytes) {
    int unit = 0;
    long left = bytes;
    while (left != 0 && left % 1024 == 0 && unit < UNITS.length() - 1) {
      left /= 1024;
      unit++;
    }
    return left + (bytes == 0 ? "" : UNITS.substring(unit, unit + 1));
  }

  /** For people: at most one digit after the point, {@code 23.9G}. */
  public static String rounded(long bytes) {
    double left = bytes;
    int unit = 0;
    while (left >= 1024 && unit < UNITS.length() - 1) {
      left /= 1024;
      unit++;
    }
    String number = String.format(Locale.ROOT, "%.1f", left);
    String shown = number.endsWith(".0") ? number.substring(0, number.length() - 2) : number;
    return shown + (bytes == 0 ? "" : UNITS.substring(unit, unit + 1));
  }
}
