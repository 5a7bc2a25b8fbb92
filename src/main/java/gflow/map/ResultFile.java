package gflow.map;

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
final class ResultFile implements AutoCloseable {
  private final FileChannel file;
  private long end;
  private volatile boolean dirty;

  /** Goes on after what the file has; a last line without its end is none, and is cut off. */
  ResultFile(Path path) throws IOException {
    file = FileChannel.open(path, CREATE, WRITE, java.nio.file.StandardOpenOption.READ);
    end = wholeLines();
    file.truncate(end);
  }

  private long wholeLines() throws IOException {
    long at = file.size();
    var one = ByteBuffer.allocate(1);
    while (at > 0) {
      file.read(one.clear(), at - 1);
      if (one.get(0) == '\n') {
        return at;
      }
      at--;
    }
    return 0;
  }

  /** If there is no room for all of it, the file is as it was before. */
  void write(String lines) throws IOException {
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

  void sync() throws IOException {
    if (dirty) {
      dirty = false;
      file.force(false);
    }
  }

  @Override
  public void close() throws IOException {
    sync();
    file.close();
  }
}
