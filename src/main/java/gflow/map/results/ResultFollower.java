package gflow.map.results;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Reads the lines of a map that runs elsewhere as they come: as they end, or in the order of the
 * items. Those that went well and printed nothing are passed over, for nobody has to be told.
 */
public final class ResultFollower {
  private static final int CHUNK = 1 << 16;

  private final MapFolder folder;
  private final boolean inOrder;
  private final SortedMap<Long, ResultLines.Line> early = new TreeMap<>();
  private long at;
  private long next;
  private byte[] rest = {};

  /** {@code from}: the end of the lines that are an earlier run's. */
  public ResultFollower(MapFolder folder, boolean inOrder, long from) {
    this.folder = folder;
    this.inOrder = inOrder;
    at = from;
  }

  /** Those that came since it was last asked. */
  public void read(Consumer<ResultLines.Line> take) throws IOException {
    if (!Files.exists(folder.results())) {
      return;
    }
    try (var file = new RandomAccessFile(folder.results().toFile(), "r")) {
      file.seek(at);
      byte[] part = new byte[CHUNK];
      for (int count = file.read(part); count > 0; count = file.read(part)) {
        at += count;
        split(part, count, take);
      }
    }
  }

  private void split(byte[] part, int count, Consumer<ResultLines.Line> take) {
    int start = 0;
    for (int i = 0; i < count; i++) {
      if (part[i] == '\n') {
        String line = new String(joined(part, start, i), UTF_8);
        if (inOrder || !ResultLines.isSilent(line)) {
          ResultLines.parse(line, one -> order(one, take));
        }
        rest = new byte[0];
        start = i + 1;
      }
    }
    rest = joined(part, start, count);
  }

  private byte[] joined(byte[] part, int from, int to) {
    byte[] all = Arrays.copyOf(rest, rest.length + to - from);
    System.arraycopy(part, from, all, rest.length, to - from);
    return all;
  }

  private void order(ResultLines.Line line, Consumer<ResultLines.Line> take) {
    if (!inOrder) {
      take.accept(line);
      return;
    }
    early.put(line.index(), line);
    for (var first = early.remove(next); first != null; first = early.remove(next)) {
      next++;
      take.accept(first);
    }
  }

  /** No more will come: also those that still wait for one before them. */
  public void end(Consumer<ResultLines.Line> take) throws IOException {
    read(take);
    early.values().forEach(take);
    early.clear();
  }
}
