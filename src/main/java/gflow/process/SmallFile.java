package gflow.process;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;

/**
 * What is found under the name of a small file that a job may have changed: no link is followed, no
 * pipe waited for, and no more is read than a few lines.
 */
public sealed interface SmallFile {
  /** More than any file of ours has. */
  int MOST = 1 << 12;

  record Missing() implements SmallFile {}

  /** Somebody put something else there. */
  record Strange(String how) implements SmallFile {}

  record Content(byte[] bytes, Instant written) implements SmallFile {}

  /** An exception is the world's: what is there is not known, and may be asked for again. */
  static SmallFile read(Path file) throws IOException {
    int fd = Libc.open(file.toString(), Libc.O_RDONLY | Libc.QUIET, 0);
    if (fd < 0) {
      return notOpened(fd);
    }
    try (var arena = Arena.ofConfined()) {
      var stat = arena.allocate(256, 8);
      int mask = 0x43; // type, mode and time of the last change
      long empty = arena.allocateFrom("").address();
      check(Libc.call("statx", fd, empty, 0x1000 /* AT_EMPTY_PATH */, mask, stat.address()));
      if ((stat.get(JAVA_SHORT, 28) & 0170000) != 0100000) {
        return new Strange("no regular file");
      }
      var bytes = new byte[MOST];
      int got = check(Libc.read(fd, bytes));
      var written = Instant.ofEpochSecond(stat.get(JAVA_LONG, 112), stat.get(JAVA_INT, 120));
      return got == MOST
          ? new Strange("too large")
          : new Content(Arrays.copyOf(bytes, got), written);
    } finally {
      Libc.close(fd);
    }
  }

  /** Adds to a file that is there; what is not there, or strange, is left alone. */
  static void append(Path file, byte[] bytes) throws IOException {
    int fd = Libc.open(file.toString(), Libc.O_WRONLY | Libc.O_APPEND | Libc.QUIET, 0);
    if (fd < 0) {
      notOpened(fd);
      return;
    }
    try {
      check(Libc.write(fd, bytes, 0, bytes.length));
    } finally {
      Libc.close(fd);
    }
  }

  private static SmallFile notOpened(int error) throws IOException {
    if (error == -Libc.ENOENT) {
      return new Missing();
    }
    if (KernelException.isStrange(-error)) {
      return new Strange(Libc.text(error));
    }
    throw new KernelException(-error);
  }

  private static int check(int result) throws KernelException {
    if (result < 0) {
      throw new KernelException(-result);
    }
    return result;
  }
}
