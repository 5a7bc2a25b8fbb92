package gflow.map.run;

import gflow.map.results.ItemOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How long a program may run. When that is over, or somebody wants its end, it is asked to end, and
 * killed if it does not. Why it was ended is what it came to, whatever it says from then on.
 */
final class Deadline {
  static final Duration GRACE = Duration.ofSeconds(3);

  private Optional<Instant> alarm;
  private volatile Optional<ItemOutcome> ending = Optional.empty();

  Deadline(Optional<Instant> until) {
    alarm = until;
  }

  void set(Optional<Instant> until) {
    alarm = until;
  }

  /** When there is something to do. */
  Optional<Instant> alarm() {
    return alarm;
  }

  /** Why it is being ended; empty as long as it is not. */
  Optional<ItemOutcome> ending() {
    return ending;
  }

  /** {@code process}: empty if it is not there yet, or ends by itself. */
  void end(ItemOutcome why, Instant now, Optional<ItemProcess> process) {
    ending = Optional.of(why);
    alarm = Optional.of(now.plus(GRACE));
    process.ifPresent(ItemProcess::term);
  }

  /** {@code why}: what it came to if it is too late now. */
  void look(Instant now, Supplier<ItemOutcome> why, Optional<ItemProcess> process) {
    if (alarm.isEmpty() || now.isBefore(alarm.get())) {
      return;
    }
    if (ending.isEmpty()) {
      end(why.get(), now, process);
    } else {
      alarm = Optional.empty();
      process.ifPresent(ItemProcess::kill);
    }
  }
}
