package gflow.script.value;

/**
 * The user wrote something that cannot be: one line that says what, and what to do instead. It
 * often quotes what was written, so line ends are taken out and a very long middle is cut.
 */
public final class BadInput extends Exception {
  private static final long serialVersionUID = 1;
  private static final int HALF = 300;

  /** Whether the line says already where it was written, or that is not to be looked for. */
  private final boolean placed;

  public BadInput(String line) {
    this(line, false);
  }

  private BadInput(String line, boolean placed) {
    super(tidy(line));
    this.placed = placed;
  }

  public boolean placed() {
    return placed;
  }

  /** The same, with where it was written before it; empty if that was on the command line. */
  public BadInput at(String place) {
    return new BadInput(place.isEmpty() ? line() : place + ": " + line(), true);
  }

  public String line() {
    return String.valueOf(getMessage());
  }

  private static String tidy(String line) {
    String plain = line.replaceAll("\\p{Cntrl}", " ");
    int length = plain.length();
    return length <= 2 * HALF
        ? plain
        : plain.substring(0, HALF) + "…" + plain.substring(length - HALF);
  }
}
