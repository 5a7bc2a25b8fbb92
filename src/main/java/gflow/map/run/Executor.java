package gflow.map.run;

import gflow.map.results.ItemOutcome;
import gflow.map.results.Result;
import gflow.map.results.Try;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Does the work of one slot. Only the runner calls it. */
interface Executor {
  /** What a try came to. */
  record Done(Try work, ItemOutcome outcome, Instant start, Duration took, Result.Said said) {
    Done with(ItemOutcome other) {
      return new Done(work, other, start, took, said);
    }
  }

  /** Something happened; called from any thread. */
  interface Bell {
    /** The runner will ask. */
    void ring(Executor executor);

    /** It asks on this thread, which has nothing else to do, before this returns. */
    void turn(Executor executor);
  }

  Slot slot();

  /** Whether it can be given one more now. */
  boolean free();

  /** Whether it does nothing, and nothing of it is left. */
  boolean idle();

  /** Before each item: sets aside the room on the disk that it needs, and fails without. */
  void prepare() throws IOException;

  void give(Try work);

  /** What has ended since it was last asked; empty when that is all. */
  Optional<Done> next();

  /** When it wants to be asked, though nothing happened. */
  Optional<Instant> alarm();

  /** It gets nothing more; what it has not begun is given back, what it does now it finishes. */
  default void finish() {}

  /** Ends what it does now, for good: nothing of it counts. */
  void abandon();

  /** It gets nothing more, and does nothing. */
  void close();
}
