package gflow.map.run;

import gflow.map.plan.MapPlan;
import gflow.map.results.ItemOutcome;
import gflow.map.results.MapFolder;
import gflow.process.Launcher;
import gflow.process.ProcessWatch;
import gflow.process.Spawn;
import gflow.process.SpawnException;
import java.time.Instant;
import java.time.InstantSource;

/** What all slots of a map share. */
record SlotTools(
    Launcher launcher,
    ProcessWatch watch,
    InstantSource clock,
    MapFolder folder,
    CommandBuilder commands,
    MapPlan.Care care,
    RunLog log) {

  Instant now() {
    return clock.instant();
  }

  ItemOutcome timedOut() {
    return new ItemOutcome.TimedOut(care.timeout().orElseThrow());
  }

  ItemProcess start(Spawn spawn, String mark) throws SpawnException {
    return ItemProcess.start(launcher, spawn, mark);
  }

  /** The same, watched. */
  ItemProcess start(Spawn spawn, String mark, Runnable bell) throws SpawnException {
    return ItemProcess.start(launcher, watch, spawn, mark, bell);
  }
}
