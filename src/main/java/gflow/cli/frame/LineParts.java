package gflow.cli.frame;

import java.util.function.Consumer;

/** Gathers lines into parts, so that a very long list is neither kept whole nor sent in crumbs. */
public final class LineParts implements Consumer<String> {
  private static final int PART = 64 << 10;

  private final Consumer<String> out;
  private final StringBuilder part = new StringBuilder();

  private LineParts(Consumer<String> out) {
    this.out = out;
  }

  /** What writes a list, to whom it says the lines. */
  public interface Text {
    void write(Consumer<String> out);
  }

  public static void send(Text text, Consumer<String> out) {
    var lines = new LineParts(out);
    text.write(lines);
    out.accept(lines.part.toString());
  }

  public static String whole(Text text) {
    var whole = new StringBuilder();
    text.write(whole::append);
    return whole.toString();
  }

  @Override
  public void accept(String line) {
    part.append(line);
    if (part.length() > PART) {
      out.accept(part.toString());
      part.setLength(0);
    }
  }
}
