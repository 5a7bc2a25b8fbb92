package gflow.map.items;

/** The items are not as they should be, or not to be had: one line that says what and where. */
public final class BadItems extends Exception {
  private static final long serialVersionUID = 1;

  public BadItems(String line) {
    super(line.replaceAll("\\p{Cntrl}", " "));
  }

  public String line() {
    return String.valueOf(getMessage());
  }
}
