package gflow.cli.frame;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Questions to the caller, answered on his standard input a line at a time. */
public final class Dialog implements AutoCloseable {
  private static final int LONGEST = 4096;

  private final Call call;
  private final InputStream in;

  public Dialog(Call call) throws Refused {
    this.call = call;
    try {
      in = call.invocation().input().open();
    } catch (IOException e) {
      throw new Refused("standard input: " + UserFiles.why(e));
    }
  }

  /** Empty at the end of the input, or when the caller is gone. */
  public Optional<String> ask(String question) {
    call.output().out(question);
    return call.output().flush() ? line() : Optional.empty();
  }

  private Optional<String> line() {
    var bytes = new ByteArrayOutputStream();
    try {
      for (int next = in.read(); next >= 0 && bytes.size() < LONGEST; next = in.read()) {
        if (next == '\n') {
          return Optional.of(bytes.toString(UTF_8).strip());
        }
        bytes.write(next);
      }
    } catch (IOException e) {
      return Optional.empty();
    }
    return bytes.size() == 0 ? Optional.empty() : Optional.of(bytes.toString(UTF_8).strip());
  }

  @Override
  public void close() {
    try {
      in.close();
    } catch (IOException e) {
      // It was only read.
    }
  }
}
