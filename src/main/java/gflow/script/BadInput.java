package gflow.script;

/** The user wrote something that cannot be: one line that says what, and what to do instead. */
public final class BadInput extends Exception {
  private static final long serialVersionUID = 1;

  public BadInput(String line) {
    super(line);
  }

  public String line() {
    return String.valueOf(getMessage());
  }
}
