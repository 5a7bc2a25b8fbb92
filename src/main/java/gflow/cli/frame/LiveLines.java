package gflow.cli.frame;

import java.util.List;

/** Lines at the end of a terminal that change; what is printed meanwhile comes before them. */
public final class LiveLines {
  private static final String CLEAR = "\r\033[K";
  private static final String UP = "\033[A";

  /** So that a line that is longer than a terminal that was made smaller stays one. */
  private static final String NO_WRAP = "\033[?7l";

  private static final String WRAP = "\033[?7h";

  private final Output output;
  private final boolean terminal;
  private int shown;
  private boolean lineIsOpen;

  /** {@code terminal}: nothing is said where there is none. */
  public LiveLines(Output output, boolean terminal) {
    this.output = output;
    this.terminal = terminal;
  }

  public void show(List<String> lines) {
    newLine();
    output.err(erased() + NO_WRAP + String.join("\n", lines) + WRAP);
    shown = lines.size();
  }

  public void clear() {
    if (shown > 0) {
      output.err(erased());
      shown = 0;
    }
  }

  /** Before this text goes to the same terminal. */
  public void before(String text) {
    clear();
    lineIsOpen = text.isEmpty() ? lineIsOpen : !text.endsWith("\n");
  }

  /** What comes next shall not stand behind what somebody printed without an end. */
  public void newLine() {
    if (terminal && lineIsOpen) {
      output.err("\n");
      lineIsOpen = false;
    }
  }

  private String erased() {
    return CLEAR + (UP + CLEAR).repeat(Math.max(0, shown - 1));
  }
}
