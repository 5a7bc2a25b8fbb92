package gflow.cli;

/** Where a command writes. Text goes out as it is written; streaming commands flush. */
public interface Output {
  void out(String text);

  void err(String text);

  /** False once the caller is gone; a streaming command then ends. */
  boolean flush();

  default void line(String text) {
    out(text + "\n");
  }

  default void problem(String text) {
    err(text + "\n");
  }
}
