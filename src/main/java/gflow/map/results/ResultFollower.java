package gflow.map.results;

import gflow.map.items.LineAssembler;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
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
  private final SortedMap<Long, ResultLine> early = new TreeMap<>();
  private final LineAssembler lines = new LineAssembler('\n', Integer.MAX_VALUE);
  private long at;
  private long next;

  /** {@code from}: the end of the lines that are an earlier run's. */
  public ResultFollower(MapFolder folder, boolean inOrder, long from) {
    this.folder = folder;
    this.inOrder = inOrder;
    at = from;
  }

  /** Those that came since it was last asked. */
  public void read(Consumer<ResultLine> take) throws IOException {
    if (!Files.exists(folder.results())) {
      return;
    }
    try (var file = new RandomAccessFile(folder.results().toFile(), "r")) {
      file.seek(at);
      byte[] part = new byte[CHUNK];
      for (int count = file.read(part); count > 0; count = file.read(part)) {
        at += count;
        lines.add(part, count, text -> take(text, take));
      }
    }
  }

  private void take(String text, Consumer<ResultLine> take) {
    if (inOrder || !isSilent(text)) {
      ResultLine.parse(text).ifPresent(line -> order(line, take));
    }
  }

  /** Seen without reading it as JSON: one of thousands each second where items are short. */
  private static boolean isSilent(String line) {
    return line.contains("\"status\":\"ok\"")
        && !line.contains("\"stdout\":")
        && !line.contains("\"stderr\":")
        && !line.contains("\"value\":");
  }

  private void order(ResultLine line, Consumer<ResultLine> take) {
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
  public void end(Consumer<ResultLine> take) throws IOException {
    read(take);
    early.values().forEach(take);
    early.clear();
  }
}
