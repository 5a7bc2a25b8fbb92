package gflow.api;

/**
 * There is no answer because the daemon ends: who asked sees that it went, and asks the next one.
 */
public final class GoingDown extends RuntimeException {
  private static final long serialVersionUID = 1;

  public GoingDown() {
    super("gflowd goes down");
  }
}
