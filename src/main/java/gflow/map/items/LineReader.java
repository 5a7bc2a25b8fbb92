package gflow.map.items;

import gflow.process.RawText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** The lines of a text byte for byte, or what NUL ends. */
final class LineReader implements AutoCloseable {
  private static final int LONGEST = 16 << 20;

  private final InputStream in;
  private final String name;
  private final byte end;
  private final byte[] buffer = new byte[1 << 16];
  private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
  private int at;
  private int filled;
  private int line;

  /** {@code name} is for complaints. */
  LineReader(InputStream in, String name, boolean nul) {
    this.in = in;
    this.name = name;
    end = nul ? 0 : (byte) '\n';
  }

  /** Empty at the end. The last line needs no line end. */
  Optional<String> next() throws IOException, BadItems {
    begun.reset();
    while (true) {
      int from = at;
      while (at < filled && buffer[at] != end) {
        at++;
      }
      if (at < filled) {
        return Optional.of(line(from, at++));
      }
      begun.write(buffer, from, at - from);
      check();
      filled = Math.max(in.read(buffer), 0);
      at = 0;
      if (filled == 0) {
        return begun.size() == 0 ? Optional.empty() : Optional.of(line(0, 0));
      }
    }
  }

  private String line(int from, int to) throws BadItems {
    line++;
    String text;
    if (begun.size() == 0) {
      text = RawText.of(buffer, from, to);
    } else {
      begun.write(buffer, from, to - from);
      text = RawText.of(begun.toByteArray());
    }
    if (text.indexOf('\0') >= 0) {
      throw bad("has a NUL in it, so this is no list of lines; -0 reads what NUL ends");
    }
    // A list from Windows names no file that ends in CR.
    return end == '\n' && text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
  }

  private void check() throws BadItems {
    if (begun.size() > LONGEST) {
      line++;
      throw bad("is longer than 16M; is this a list of items?");
    }
  }

  /** The number of the line that came last. */
  int line() {
    return line;
  }

  /** A complaint about that line. */
  BadItems bad(String what) {
    return at(line, what);
  }

  BadItems at(int number, String what) {
    return new BadItems(name + " " + (end == 0 ? "item " : "line ") + number + " " + what);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
