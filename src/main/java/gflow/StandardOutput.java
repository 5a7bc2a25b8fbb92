package gflow;

import gflow.cli.frame.Output;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** The process's own stdout and stderr. */
final class StandardOutput implements Output {
  private final PrintStream out = stream(FileDescriptor.out);
  private final PrintStream err = stream(FileDescriptor.err);
  private int skip;

  private StandardOutput(int skip) {
    this.skip = skip;
  }

  /** Leaves out as many lines as the launcher has printed before the daemon's answer broke off. */
  static StandardOutput of(int printedLines) {
    return new StandardOutput(printedLines);
  }

  private static PrintStream stream(FileDescriptor descriptor) {
    return new PrintStream(new FileOutputStream(descriptor), false, StandardCharsets.UTF_8);
  }

  @Override
  public void out(String text) {
    out.print(unprinted(text));
  }

  @Override
  public void err(String text) {
    out.flush();
    err.print(unprinted(text));
    err.flush();
  }

  private String unprinted(String text) {
    int from = 0;
    while (skip > 0 && from < text.length()) {
      int end = text.indexOf('\n', from);
      if (end < 0) {
        return "";
      }
      from = end + 1;
      skip--;
    }
    return text.substring(from);
  }

  @Override
  public boolean flush() {
    out.flush();
    return !out.checkError();
  }
}
