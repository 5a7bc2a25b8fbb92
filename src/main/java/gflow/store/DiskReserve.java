package gflow.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Some room on the disk that is given up when there is none: what ends jobs must be possible then,
 * because it is what makes room.
 */
final class DiskReserve {
  private static final int SIZE = 4 << 20;

  /** Of the last bytes of a disk we take none. */
  private static final long LEAST_FREE = 16L * SIZE;

  private final Path file;

  DiskReserve(Path database) {
    file = Path.of(database + ".reserve");
  }

  /** Zeros that are written, because a file may be long and have no room. */
  void keep() {
    try {
      if (Files.exists(file) || file.getParent().toFile().getUsableSpace() < LEAST_FREE) {
        return;
      }
      Files.createFile(file, Database.PRIVATE);
      try (var out = FileChannel.open(file, StandardOpenOption.WRITE)) {
        out.write(ByteBuffer.allocate(SIZE));
      }
    } catch (IOException e) {
      spend();
    }
  }

  /** True if there is more room now than before. */
  boolean spend() {
    try {
      return Files.deleteIfExists(file);
    } catch (IOException e) {
      return false;
    }
  }
}
