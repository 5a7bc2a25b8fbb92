package gflow.plan;

import gflow.plan.UsageLimits.Cap;
import java.util.OptionalInt;

/** Limits of one kind only, for the tests of all rooms. */
public final class Caps {
  private Caps() {}

  public static Cap ofTasks(int tasks) {
    return new Cap(OptionalInt.of(tasks), OptionalInt.empty());
  }

  public static Cap ofGpus(int gpus) {
    return new Cap(OptionalInt.empty(), OptionalInt.of(gpus));
  }
}
