package gflow.sim;

import java.util.function.Supplier;

/** A law was broken. */
public final class Violation extends AssertionError {
  private static final long serialVersionUID = 1;

  public Violation(String what) {
    super(what);
  }

  /** What would take long to say is said only if it must be. */
  public static void unless(boolean holds, Supplier<String> what) {
    if (!holds) {
      throw new Violation(what.get());
    }
  }

  public static void unless(boolean holds, String law) {
    if (!holds) {
      throw new Violation(law);
    }
  }
}
