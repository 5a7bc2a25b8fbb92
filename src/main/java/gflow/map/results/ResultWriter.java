package gflow.map.results;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * The lines of a map that are there to stay: each is written whole, or not at all. What is written
 * survives the end of this process; {@link #sync} makes it survive that of the machine.
 */
public final class ResultWriter implements AutoCloseable {
  private static final int CHUNK = 1 << 16;

  private final FileChannel file;
  private long end;
  private volatile boolean dirty;

  /** Goes on after what the file has; a last line without its end is none, and is cut off. */
  public ResultWriter(Path path) throws IOException {
    file = FileChannel.open(path, CREATE, WRITE, java.nio.file.StandardOpenOption.READ);
    end = wholeLines(file);
    file.truncate(end);
  }

  /** The length without a last line that has no end. */
  static long wholeLines(FileChannel file) throws IOException {
    var part = ByteBuffer.allocate(CHUNK);
    for (long to = file.size(); to > 0; to -= Math.min(to, CHUNK)) {
      long from = Math.max(0, to - CHUNK);
      part.clear().limit((int) (to - from));
      for (int at = file.read(part, from) - 1; at >= 0; at--) {
        if (part.get(at) == '\n') {
          return from + at + 1;
        }
      }
    }
    return 0;
  }

  /** If there is no room for all of it, the file is as it was before. */
  public void write(String lines) throws IOException {
    var bytes = ByteBuffer.wrap(lines.getBytes(UTF_8));
    long at = end;
    try {
      while (bytes.hasRemaining()) {
        at += file.write(bytes, at);
      }
      end = at;
      dirty = true;
    } catch (IOException e) {
      file.truncate(end);
      throw e;
    }
  }

  public void sync() throws IOException {
    if (dirty) {
      dirty = false;
      try {
        file.force(false);
      } catch (IOException e) {
        dirty = true;
        throw e;
      }
    }
  }

  @Override
  public void close() throws IOException {
    sync();
    file.close();
  }
}
