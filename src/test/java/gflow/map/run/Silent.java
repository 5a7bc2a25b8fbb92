package gflow.map.run;

import gflow.map.results.ItemOutcome;
import gflow.map.results.Result;
import gflow.map.results.Try;
import java.time.Instant;
import java.util.Optional;

/** Hears all and says nothing. */
class Silent implements Runner.Listener {
  @Override
  public void began(Try work, Slot slot) {}

  @Override
  public void tried(Executor.Done done, Slot slot) {}

  @Override
  public void again(Try work, ItemOutcome outcome, Instant at) {}

  @Override
  public void ended(Result result) {}

  @Override
  public void disk(Optional<String> problem) {}

  @Override
  public void lost(long results) {}

  @Override
  public void left(String gpu) {}
}
