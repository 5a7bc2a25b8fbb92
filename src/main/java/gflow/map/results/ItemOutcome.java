package gflow.map.results;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How one try of an item went. */
public sealed interface ItemOutcome {
  record Exited(int code) implements ItemOutcome {}

  record Signalled(int signal) implements ItemOutcome {}

  record TimedOut(Duration after) implements ItemOutcome {}

  record NotStarted(String why) implements ItemOutcome {}

  /** The program was content, {@code --check} was not. */
  record Rejected(String why) implements ItemOutcome {}

  /** It went well, but what came of it could not be put where it belongs. */
  record Undelivered(String why) implements ItemOutcome {}

  /** What a worker answered: a JSON value. */
  record Value(@Nullable Object tree) implements ItemOutcome {}

  /** A worker's own word that it could not. */
  record Refused(String error) implements ItemOutcome {}

  /** The worker ended, or said what is no answer, while it had the item. */
  record Broke(String why) implements ItemOutcome {}

  /** Its worker ended before it came to it: it was no try. */
  record Untouched() implements ItemOutcome {}

  /** Killed because the whole map ends: no outcome that counts. */
  record Abandoned() implements ItemOutcome {}

  default boolean good() {
    return (this instanceof Exited(int code) && code == 0) || this instanceof Value;
  }

  /** Why it failed, in a few words; empty if it did not. */
  default String cause() {
    return switch (this) {
      case Exited(int code) -> code == 0 ? "" : "exit code " + code;
      case Signalled(int signal) -> "signal " + signal;
      case TimedOut(Duration after) -> "timeout after " + seconds(after);
      case NotStarted(String why) -> why;
      case Rejected(String why) -> "check: " + why;
      case Undelivered(String why) -> why;
      case Value(Object _) -> "";
      case Refused(String error) -> error;
      case Broke(String why) -> why;
      case Untouched() -> "not begun";
      case Abandoned() -> "abandoned";
    };
  }

  private static String seconds(Duration time) {
    double seconds = time.toMillis() / 1000.0;
    return (seconds == Math.rint(seconds) ? Long.toString((long) seconds) : "" + seconds) + " s";
  }
}
