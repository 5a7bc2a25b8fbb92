package gflow.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * The small texts of /proc and of cgroups. What is not there is empty; that it could not be read
 * just now is an exception, because to take it for gone would end what still runs. No native call
 * is made unless something goes wrong: the first one costs a command 30 ms.
 */
final class KernelFile {
  private KernelFile() {}

  static Optional<byte[]> read(Path path) {
    int wrong = InjectedFaults.error("read");
    // To look first costs less than an exception, and most of those asked for have just ended.
    if (wrong == 0 && !Files.exists(path)) {
      return Optional.empty();
    }
    try {
      return wrong == 0 ? Optional.of(Files.readAllBytes(path)) : gone(path, wrong);
    } catch (IOException e) {
      return gone(path, KernelException.errno(e));
    }
  }

  /**
   * In three calls of the kernel where the JDK needs seven, for what a daemon reads all the time (a
   * command that ends at once pays more for the first call of the C library). The kernel may stop
   * at a page's end, so much text is read as usual.
   */
  static Optional<byte[]> readAtOnce(Path path) {
    int fd = Libc.open(path.toString(), Libc.O_RDONLY | Libc.O_CLOEXEC, 0);
    if (fd < 0) {
      return gone(path, -fd);
    }
    try {
      var bytes = new byte[1 << 12];
      int got = Libc.read(fd, bytes);
      if (got < 0) {
        return gone(path, -got);
      }
      return got < bytes.length / 2 ? Optional.of(Arrays.copyOf(bytes, got)) : read(path);
    } finally {
      Libc.close(fd);
    }
  }

  /** A process may end at any moment, also between open and read. */
  private static Optional<byte[]> gone(Path path, int errno) {
    if (KernelException.isPassing(errno)) {
      throw new UncheckedIOException(
          new KernelException("cannot read " + path + ": " + Libc.text(errno), errno));
    }
    return Optional.empty();
  }

  /** The names in a folder, none if it is gone. */
  static String[] names(Path folder) {
    String[] names = InjectedFaults.error("list") == 0 ? folder.toFile().list() : null;
    if (names == null && Files.isReadable(folder)) {
      throw new UncheckedIOException(new IOException("cannot list " + folder + " now"));
    }
    return names == null ? new String[0] : names;
  }
}
