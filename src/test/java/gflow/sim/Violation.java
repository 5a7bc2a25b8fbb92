package gflow.sim;

/** A law was broken. */
public final class Violation extends AssertionError {
  private static final long serialVersionUID = 1;

  public Violation(String what) {
    super(what);
  }

  public static void unless(boolean holds, String law) {
    if (!holds) {
      throw new Violation(law);
    }
  }
}
