package gflow.map.items;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/** The lines of a text byte for byte, or what NUL ends. */
final class LineReader implements AutoCloseable {
  private static final int LONGEST = 16 << 20;

  private final InputStream in;
  private final String name;
  private final boolean nul;
  private final LineAssembler lines;
  private final Queue<String> read = new ArrayDeque<>();
  private final byte[] buffer = new byte[1 << 16];
  private boolean ended;
  private int line;

  /** {@code name} is for complaints. */
  LineReader(InputStream in, String name, boolean nul) {
    this.in = in;
    this.name = name;
    this.nul = nul;
    lines = new LineAssembler(nul ? '\0' : '\n', Integer.MAX_VALUE);
  }

  /** Empty at the end. The last line needs no line end. */
  Optional<String> next() throws IOException, BadItems {
    while (read.isEmpty() && !ended) {
      int count = in.read(buffer);
      ended = count < 0;
      lines.add(buffer, Math.max(count, 0), read::add);
      if (ended) {
        lines.end(read::add);
      }
      if (lines.begun() > LONGEST) {
        line++;
        throw bad("is longer than 16M; is this a list of items?");
      }
    }
    return read.isEmpty() ? Optional.empty() : Optional.of(line(read.remove()));
  }

  private String line(String text) throws BadItems {
    line++;
    if (text.indexOf('\0') >= 0) {
      throw bad("has a NUL in it, so this is no list of lines; -0 reads what NUL ends");
    }
    // A list from Windows names no file that ends in CR.
    return !nul && text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
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
    return new BadItems(name + (nul ? " item " : " line ") + number + " " + what);
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
