package gflow.map;

import java.time.Instant;
import java.util.Optional;

/** Hears all and says nothing. */
class Silent implements Runner.Listener {
  @Override
  public void began(Try work, SlotBoard.Slot slot) {}

  @Override
  public void tried(Hand.Done done, SlotBoard.Slot slot) {}

  @Override
  public void again(Try work, Outcome outcome, Instant at) {}

  @Override
  public void ended(Result result) {}

  @Override
  public void written() {}

  @Override
  public void disk(Optional<String> problem) {}

  @Override
  public void lost(long results) {}

  @Override
  public void left(String card) {}
}
