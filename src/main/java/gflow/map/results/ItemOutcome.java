package gflow.map.results;

import gflow.process.ProcessEnd;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How one try of an item went. */
public sealed interface ItemOutcome {
  record Exited(int code) implements ItemOutcome {}

  record Signalled(int signal) implements ItemOutcome {}

  /** It did not come to an end of its own, or to one that is good enough; why, in a few words. */
  record Failed(String why) implements ItemOutcome {}

  /** What a worker answered: a JSON value. */
  record Value(@Nullable Object tree) implements ItemOutcome {}

  /** Its worker ended before it came to it: it was no try. */
  record Untouched() implements ItemOutcome {}

  /** Killed because the whole map ends: no outcome that counts. */
  record Abandoned() implements ItemOutcome {}

  static ItemOutcome of(ProcessEnd how) {
    return how.signal().isPresent()
        ? new Signalled(how.signal().getAsInt())
        : new Exited(how.exitCode().orElse(1));
  }

  static ItemOutcome timedOut(Duration after) {
    double seconds = after.toMillis() / 1000.0;
    boolean whole = seconds == Math.rint(seconds);
    return new Failed("timeout after " + (whole ? "" + (long) seconds : "" + seconds) + " s");
  }

  /** The program was content, {@code --check} was not. */
  static ItemOutcome rejected(String why) {
    return new Failed("check: " + why);
  }

  default boolean good() {
    return (this instanceof Exited(int code) && code == 0) || this instanceof Value;
  }

  /** Why it failed, in a few words; empty if it did not. */
  default String cause() {
    return switch (this) {
      case Exited(int code) -> code == 0 ? "" : "exit code " + code;
      case Signalled(int signal) -> "signal " + signal;
      case Failed(String why) -> why;
      case Value(Object _) -> "";
      case Untouched() -> "not begun";
      case Abandoned() -> "abandoned";
    };
  }
}
