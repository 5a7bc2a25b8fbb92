package gflow.map.run;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import gflow.process.DiskSpace;
import gflow.process.RawText;
import gflow.process.Stdio;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * What one slot's program prints, in a file that is used again for the next item: no pipe that
 * could fill up, nobody who must read along, and {@code tail -f} shows what runs. Where it was
 * much, the file is kept, and the next item gets a new one.
 */
final class OutputCapture implements AutoCloseable {
  /** What a line of results may hold of it. */
  static final int MUCH = 1 << 16;

  private static final int TAIL = 1 << 14;

  /** So much can be printed on a disk that gets full meanwhile. */
  private static final int RESERVED = 1 << 14;

  /** Where there is as much, nothing is set aside: that would cost more than a short item. */
  private static final long AMPLE = 64 << 20;

  /** Where nothing was set aside, less than this is full: other slots give a block back. */
  private static final long SCANT = 1 << 20;

  private static final int BLOCK = 1 << 12;

  private final Path path;
  private Optional<FileChannel> open = Optional.empty();
  private Optional<FileStore> disk = Optional.empty();
  private boolean reserved;

  OutputCapture(Path path) {
    this.path = path;
  }

  /** Before an item begins: fails where there is no room for what it may print. */
  void prepare() throws IOException {
    if (open.isEmpty()) {
      open = Optional.of(FileChannel.open(path, CREATE, READ, WRITE));
      file().truncate(0);
      disk = Optional.of(disk.isPresent() ? disk.get() : Files.getFileStore(path));
    }
    if (!reserved && room() < AMPLE) {
      DiskSpace.reserve(path, 0, RESERVED);
      reserved = true;
    }
  }

  private long room() throws IOException {
    return disk.orElseThrow().getUsableSpace();
  }

  private FileChannel file() {
    return open.orElseThrow();
  }

  boolean isReserved() {
    return reserved;
  }

  Stdio target() {
    return new Stdio.Own(path.toString());
  }

  Path path() {
    return path;
  }

  long size() throws IOException {
    return file().size();
  }

  /** Whether a disk that is full now, or was a moment ago, may have cut it off. */
  boolean isCut(long size) throws IOException {
    if (!reserved && room() < SCANT) {
      return true;
    }
    try {
      boolean safe = reserved && size <= RESERVED;
      if (!safe && room() < AMPLE) {
        DiskSpace.reserve(path, (size + BLOCK - 1) / BLOCK * BLOCK, BLOCK);
      }
      return false;
    } catch (IOException e) {
      if (DiskSpace.isLacking(e)) {
        return true;
      }
      throw e;
    }
  }

  /** What it held, or the last part of that; then {@code file} has all of it. */
  record Taken(String text, Optional<String> file) {}

  /** It is empty again for the next item. {@code kept}: where it goes if it was much. */
  Taken take(Path kept) throws IOException {
    long size = size();
    if (size == 0) {
      return new Taken("", Optional.empty());
    }
    boolean much = size > MUCH;
    String text = text(much ? size - TAIL : 0, size);
    if (much) {
      keepAs(kept);
      Path shown = kept.getParent().getFileName().resolve(kept.getFileName());
      return new Taken(text, Optional.of(shown.toString()));
    }
    clear();
    return new Taken(text, Optional.empty());
  }

  private String text(long from, long size) throws IOException {
    var bytes = ByteBuffer.allocate((int) (size - from));
    while (bytes.hasRemaining() && file().read(bytes, from + bytes.position()) > 0) {}
    return RawText.of(bytes.array(), 0, bytes.position());
  }

  private void keepAs(Path kept) throws IOException {
    file().close();
    open = Optional.empty();
    reserved = false;
    Files.move(path, kept, StandardCopyOption.REPLACE_EXISTING);
  }

  private void clear() throws IOException {
    file().truncate(0);
    // ext4 writes a file that was cut off to the disk when it is next closed, so that no crash
    // leaves it empty. It shall be closed now: with nothing in it, and not with what is next.
    FileChannel.open(path, READ).close();
    reserved = false;
  }

  @Override
  public void close() throws IOException {
    if (open.isPresent()) {
      file().close();
    }
    Files.deleteIfExists(path);
  }
}
