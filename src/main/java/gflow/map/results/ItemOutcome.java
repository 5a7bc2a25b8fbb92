package gflow.map.results;

import gflow.job.Failure;
import gflow.job.GpuFailures;
import gflow.process.ProcessEnd;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How one try of an item went. */
public sealed interface ItemOutcome {
  record Exited(int code) implements ItemOutcome {}

  record Signalled(int signal) implements ItemOutcome {}

  /** It did not come to an end of its own, or to one that is good enough; why, in a few words. */
  record Failed(String why) implements ItemOutcome {}

  /** {@code --timeout} was over. */
  record TimedOut(Duration after) implements ItemOutcome {}

  /**
   * It failed with that status, and said that its GPU had no memory left; {@code alone}: though no
   * other item was there.
   */
  record OutOfGpuMemory(int status, boolean alone) implements ItemOutcome {}

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

  /** The program was content, {@code --check} was not. */
  static ItemOutcome rejected(String why) {
    return new Failed("check: " + why);
  }

  default boolean good() {
    return (this instanceof Exited(int code) && code == 0) || this instanceof Value;
  }

  /** What it died of, as jobs do; nothing of one that went well, or was no try. */
  default Optional<Failure> failure() {
    return switch (this) {
      case Exited(int code) -> code == 0 ? Optional.empty() : Optional.of(Failure.EXIT_CODE);
      case Failed _ -> Optional.of(Failure.EXIT_CODE);
      case Signalled _ -> Optional.of(Failure.SIGNAL);
      case TimedOut _ -> Optional.of(Failure.TIME_LIMIT);
      case OutOfGpuMemory _ -> Optional.of(Failure.GPU_MEMORY);
      case Value _, Untouched _, Abandoned _ -> Optional.empty();
    };
  }

  private static String seconds(Duration time) {
    double seconds = time.toMillis() / 1000.0;
    return seconds == Math.rint(seconds) ? "" + (long) seconds : "" + seconds;
  }

  /** The same, where it or what it printed says that a GPU had no memory left. */
  default ItemOutcome explained(String printed, boolean alone) {
    boolean ownEnd = this instanceof Exited || this instanceof Signalled || this instanceof Failed;
    var told = GpuFailures.told(cause() + "\n" + printed);
    return ownEnd && !good() && told.equals(Optional.of(Failure.GPU_MEMORY))
        ? new OutOfGpuMemory(status(), alone)
        : this;
  }

  private int status() {
    return switch (this) {
      case Exited(int code) -> code;
      case Signalled(int signal) -> 128 + signal;
      default -> 1;
    };
  }

  /** Why it failed, in a few words; empty if it did not. */
  default String cause() {
    return switch (this) {
      case Exited(int code) -> code == 0 ? "" : "exit code " + code;
      case Signalled(int signal) -> "signal " + signal;
      case Failed(String why) -> why;
      case TimedOut(Duration after) -> "timeout after " + seconds(after) + " s";
      case OutOfGpuMemory(int _, boolean alone) ->
          alone
              ? "out of GPU memory, alone on its GPU: it would not fit the next time either"
              : "out of GPU memory on a GPU that it shared";
      case Value(Object _) -> "";
      case Untouched() -> "not begun";
      case Abandoned() -> "abandoned";
    };
  }
}
