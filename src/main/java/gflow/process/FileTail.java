package gflow.process;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** The end of a file that somebody else writes: no pipe is waited for, and no more is read. */
public final class FileTail {
  private FileTail() {}

  /** At most so many of the bytes after the first {@code from}; nothing of what is no file. */
  public static Optional<byte[]> read(Path file, long from, int most) throws IOException {
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try (var opened = Descriptor.toRead(file.toString())) {
      // Under its name there may be a pipe by now; what is open stays what it is.
      Path same = Path.of("/proc/self/fd/" + opened.fd());
      return Files.isRegularFile(same) ? Optional.of(end(same, from, most)) : Optional.empty();
    }
  }

  private static byte[] end(Path file, long from, int most) throws IOException {
    try (var channel = FileChannel.open(file)) {
      long size = channel.size();
      // One that is shorter than it was has been written anew.
      long start = Math.max(from > size ? 0 : from, size - most);
      var bytes = ByteBuffer.allocate((int) Math.min(most, size - start));
      while (bytes.hasRemaining() && channel.read(bytes, start + bytes.position()) > 0) {}
      return Arrays.copyOf(bytes.array(), bytes.position());
    }
  }
}
