package gflow.config;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Durations as {@code 90d} and sizes as {@code 500M}. */
final class Units {
  private Units() {}

  /** Digits and one of s, m, h, d, w; or {@code h:mm:ss}. */
  static Optional<Duration> duration(String text) {
    if (text.indexOf(':') > 0) {
      return clock(text);
    }
    int end = digits(text);
    if (end == 0 || end > 9 || end != text.length() - 1) {
      return Optional.empty();
    }
    long count = Long.parseLong(text.substring(0, end));
    return switch (text.charAt(end)) {
      case 's' -> Optional.of(Duration.ofSeconds(count));
      case 'm' -> Optional.of(Duration.ofMinutes(count));
      case 'h' -> Optional.of(Duration.ofHours(count));
      case 'd' -> Optional.of(Duration.ofDays(count));
      case 'w' -> Optional.of(Duration.ofDays(7 * count));
      default -> Optional.empty();
    };
  }

  private static Optional<Duration> clock(String text) {
    long seconds = 0;
    int parts = 0;
    for (int start = 0; start <= text.length(); parts++) {
      int colon = text.indexOf(':', start);
      String part = text.substring(start, colon < 0 ? text.length() : colon);
      if (part.isEmpty() || part.length() > 6 || digits(part) != part.length()) {
        return Optional.empty();
      }
      int value = Integer.parseInt(part);
      if (parts > 0 && (part.length() != 2 || value > 59)) {
        return Optional.empty();
      }
      seconds = seconds * 60 + value;
      start = colon < 0 ? text.length() + 1 : colon + 1;
    }
    return parts == 3 ? Optional.of(Duration.ofSeconds(seconds)) : Optional.empty();
  }

  /** Digits, perhaps one of K, M, G, T (powers of 1024), perhaps followed by B or iB. */
  static OptionalLong size(String text) {
    int end = digits(text);
    String unit = text.substring(end).toUpperCase(Locale.ROOT);
    if (end == 0 || end > 12) {
      return OptionalLong.empty();
    }
    if (unit.endsWith("IB") && unit.length() == 3) {
      unit = unit.substring(0, 1);
    } else if (unit.endsWith("B")) {
      unit = unit.substring(0, unit.length() - 1);
    }
    int power = unit.isEmpty() ? 0 : 1 + "KMGT".indexOf(unit);
    if (unit.length() > 1 || (power == 0 && !unit.isEmpty())) {
      return OptionalLong.empty();
    }
    long count = Long.parseLong(text.substring(0, end));
    boolean fits = count <= Long.MAX_VALUE >> (10 * power);
    return fits ? OptionalLong.of(count << (10 * power)) : OptionalLong.empty();
  }

  private static int digits(String text) {
    int end = 0;
    while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
      end++;
    }
    return end;
  }
}
