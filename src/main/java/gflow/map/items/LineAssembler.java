package gflow.map.items;

import gflow.process.RawText;
import java.io.ByteArrayOutputStream;
import java.util.function.Consumer;

/**
 * Makes lines of what comes in parts, however it comes and whatever it is: bytes that are no UTF-8
 * survive, and of a line that is far too long only the start is kept.
 */
public final class LineAssembler {
  /** What a worker may say in a line. */
  public static final int LONGEST = 16 << 20;

  /** What stands instead of the rest. */
  public static final String CUT = "… (longer than 16 MB)";

  private static final int KEPT = 200;

  private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
  private final char end;
  private final int longest;
  private boolean tooLong;

  public LineAssembler(char end, int longest) {
    this.end = end;
    this.longest = longest;
  }

  public void add(byte[] part, int count, Consumer<String> take) {
    int start = 0;
    for (int i = 0; i < count; i++) {
      if (part[i] == end) {
        take.accept(line(part, start, i));
        start = i + 1;
      }
    }
    keep(part, start, count);
  }

  /** So much of a line has come. */
  int begun() {
    return begun.size();
  }

  /** No more will come: the last line may have no end. */
  public void end(Consumer<String> take) {
    if (begun.size() > 0) {
      take.accept(line(new byte[0], 0, 0));
    }
  }

  private String line(byte[] part, int from, int to) {
    if (begun.size() == 0 && to - from <= longest) {
      return RawText.of(part, from, to);
    }
    keep(part, from, to);
    String line = tooLong ? start() : RawText.of(begun.toByteArray());
    begun.reset();
    tooLong = false;
    return line;
  }

  private String start() {
    return RawText.of(begun.toByteArray(), 0, KEPT) + CUT;
  }

  private void keep(byte[] part, int from, int to) {
    int room = longest - begun.size();
    tooLong |= to - from > room;
    begun.write(part, from, Math.min(to - from, room));
  }
}
