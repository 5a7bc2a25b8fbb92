package gflow.map;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import gflow.process.RawText;
import gflow.process.Stdio;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * What one slot's program prints, in a file that is used again for the next item: no pipe that
 * could fill up, nobody who must read along, and {@code tail -f} shows what runs. Where it was
 * much, the file is kept, and the next item gets a new one.
 */
final class Capture implements AutoCloseable {
  /** What a line of results may hold of it. */
  static final int MUCH = 1 << 16;

  private static final int TAIL = 1 << 14;

  private final Path path;
  private FileChannel file;

  Capture(Path path) throws IOException {
    this.path = path;
    file = open();
    file.truncate(0);
  }

  private FileChannel open() throws IOException {
    return FileChannel.open(path, CREATE, READ, WRITE);
  }

  Stdio target() {
    return new Stdio.Own(path.toString());
  }

  Path path() {
    return path;
  }

  /** Whether it was more than a line may hold. */
  static boolean isMuch(long size) {
    return size > MUCH;
  }

  long size() throws IOException {
    return file.size();
  }

  /** All of it, or its last part if it is much. */
  String text(long size) throws IOException {
    if (size == 0) {
      return "";
    }
    long from = isMuch(size) ? size - TAIL : 0;
    var bytes = ByteBuffer.allocate((int) (size - from));
    while (bytes.hasRemaining() && file.read(bytes, from + bytes.position()) > 0) {}
    return RawText.of(bytes.array(), 0, bytes.position());
  }

  /** Returns where it is, seen from the folder of the map. */
  String keepAs(Path kept) throws IOException {
    file.close();
    Files.move(path, kept, StandardCopyOption.REPLACE_EXISTING);
    file = open();
    return kept.getParent().getFileName().resolve(kept.getFileName()).toString();
  }

  void clear() throws IOException {
    file.truncate(0);
  }

  @Override
  public void close() throws IOException {
    file.close();
    Files.deleteIfExists(path);
  }
}
