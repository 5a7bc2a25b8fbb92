package gflow.store;

/** A row does not say what this program once wrote. */
final class Damaged extends RuntimeException {
  private static final long serialVersionUID = 1;

  Damaged(String what) {
    super(what);
  }
}
