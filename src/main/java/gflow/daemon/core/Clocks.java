package gflow.daemon.core;

import gflow.store.Change;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The clock on the wall, which people set, and the time since boot, which only goes forward. Their
 * difference is the machine's start as the wall's clock has it now ({@code zero}): it moves when
 * that clock is set, and never else.
 */
public record Clocks(InstantSource wall, Supplier<Duration> sinceBoot) {
  /** Less is not worth a commit; it adds up, and is made good when it is more. */
  private static final Duration TOLERANCE = Duration.ofMillis(500);

  /** The two cannot be read at once: what is longer apart is read again. */
  private static final Duration AT_ONCE = Duration.ofMillis(1);

  private static final int TRIES = 10;
  private static final String KEY = "clock";

  /** Both, as they were at one moment. */
  record Reading(Instant now, Instant zero) {}

  Reading read() {
    Duration before = sinceBoot.get();
    for (int tries = 1; ; tries++) {
      Instant now = wall.instant();
      Duration after = sinceBoot.get();
      if (after.minus(before).compareTo(AT_ONCE) < 0 || tries == TRIES) {
        return new Reading(now, now.minus(after).truncatedTo(ChronoUnit.MICROS));
      }
      before = after;
    }
  }

  /** By how much the wall's clock was set, if it was. */
  static Optional<Duration> set(Instant before, Instant now) {
    Duration by = Duration.between(before, now);
    return Optional.of(by).filter(d -> d.abs().compareTo(TOLERANCE) > 0);
  }

  /** What this clock would show now if nobody had set it since the start was {@code kept}. */
  public Instant nowBy(Optional<Instant> kept) {
    return kept.map(zero -> zero.plus(sinceBoot.get())).orElseGet(wall::instant);
  }

  static Change keep(String boot, Instant zero) {
    return new Change.Setting(KEY, boot + " " + zero);
  }

  /** As the last daemon saw it, if it was in this boot. */
  public static Optional<Instant> kept(Map<String, String> settings, String boot) {
    String text = settings.getOrDefault(KEY, "");
    return text.startsWith(boot + " ")
        ? Optional.of(Instant.parse(text.substring(boot.length() + 1)))
        : Optional.empty();
  }
}
