package gflow.json;

/** The text is no JSON, or not of the shape that was expected: one line that says where. */
public final class BadJson extends Exception {
  private static final long serialVersionUID = 1;

  public BadJson(String line) {
    super(line);
  }
}
