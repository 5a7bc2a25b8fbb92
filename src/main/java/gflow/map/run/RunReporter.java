package gflow.map.run;

import gflow.map.items.Item;
import gflow.map.results.ItemOutcome;
import gflow.map.results.MapProgress;
import gflow.map.results.Result;
import gflow.map.results.Try;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;

/** Counts what the runner does, says what went wrong, and whether all went well in the end. */
final class RunReporter implements Runner.Listener {
  private final MapTally tally;
  private final RunLog log;
  private final InstantSource clock;
  private final MapRun.Listener listener;
  private final Consumer<String> cardIsLeft;
  private volatile String trouble = "";
  private boolean lost;

  RunReporter(
      MapTally tally,
      RunLog log,
      InstantSource clock,
      MapRun.Listener listener,
      Consumer<String> cardIsLeft) {
    this.tally = tally;
    this.log = log;
    this.clock = clock;
    this.listener = listener;
    this.cardIsLeft = cardIsLeft;
  }

  /** {@code 812/2000 done, 3 failed}, with what hinders it. */
  String progress() {
    return tally.text() + trouble;
  }

  MapProgress counted() {
    return tally.progress(clock.instant());
  }

  boolean allWell() {
    return tally.done() == tally.total() && tally.failed() == 0 && !lost;
  }

  @Override
  public void began(Try work, Slot slot) {
    tally.began(slot.gpu(), clock.instant());
  }

  @Override
  public void tried(Executor.Done done, Slot slot) {
    tally.tried(slot.gpu(), clock.instant());
  }

  @Override
  public void again(Try work, ItemOutcome outcome, Instant at) {
    log.say(
        "item %d (%s), attempt %d: %s; again"
            .formatted(work.item().index(), work.item().text(), work.number(), outcome.cause()));
  }

  @Override
  public void ended(Result result) {
    tally.ended(result);
    if (!result.outcome().good()) {
      Item item = result.last().item();
      log.say(
          "item %d (%s) failed: %s".formatted(item.index(), item.text(), result.outcome().cause()));
    }
  }

  @Override
  public void written() {
    listener.written();
  }

  @Override
  public void disk(Optional<String> problem) {
    listener.problem(
        problem
            .map(why -> "results cannot be written (" + why + "); nothing begins until they can")
            .orElse("results can be written again"));
    trouble = problem.map(_ -> "; no room for results").orElse("");
  }

  @Override
  public void lost(long results) {
    lost = true;
    listener.problem(
        "%d results could not be written; --resume does their items again".formatted(results));
  }

  @Override
  public void left(String card) {
    cardIsLeft.accept(card);
  }
}
