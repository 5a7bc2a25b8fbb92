package gflow.store;

/** A row does not say what this program once wrote. */
final class DamagedRow extends RuntimeException {
  private static final long serialVersionUID = 1;

  DamagedRow(String what) {
    super(what);
  }
}
