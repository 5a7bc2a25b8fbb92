package gflow.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalInt;

/**
 * Named pipes by plain descriptors. A read that waits occupies its carrier, so it belongs on a
 * platform thread; closing does not wake it, a byte written into the pipe does.
 */
public final class Fifo {
  private Fifo() {}

  /** Makes the pipe with exactly this mode, whatever the umask is. */
  public static void make(Path path, int mode) throws IOException {
    Libc.check(Libc.call("mkfifo", path.toString(), mode), "make " + path);
    Libc.check(Libc.call("chmod", path.toString(), mode), "set the mode of " + path);
  }

  /** Opens for reading and writing: never waits for a writer and never sees the end. */
  public static int open(Path path) throws IOException {
    return Libc.check(Libc.open(path.toString(), Libc.O_RDWR | Libc.O_CLOEXEC, 0), "open " + path);
  }

  /** Opens for writing without waiting; empty if nobody has it open for reading. */
  public static OptionalInt openToWrite(Path path) throws IOException {
    int flags = Libc.O_WRONLY | Libc.O_NONBLOCK | Libc.O_CLOEXEC;
    int fd = Libc.open(path.toString(), flags, 0);
    if (fd == -Libc.ENXIO || fd == -Libc.ENOENT) {
      return OptionalInt.empty();
    }
    Libc.check(fd, "open " + path);
    // From here on a full pipe shall make the writer wait.
    Libc.fcntl(fd, 4 /* F_SETFL */, Libc.O_WRONLY);
    return OptionalInt.of(fd);
  }

  /** Waits for bytes; their number, 0 at the end. */
  public static int read(int fd, byte[] into) throws IOException {
    return Libc.check(Libc.read(fd, into), "read a pipe");
  }

  /** Writes all; false if the reader has gone. */
  public static boolean write(int fd, byte[] bytes) throws IOException {
    for (int done = 0; done < bytes.length; ) {
      int count = Libc.write(fd, bytes, done, bytes.length - done);
      if (count == -Libc.EPIPE) {
        return false;
      }
      done += Libc.check(count, "write a pipe");
    }
    return true;
  }

  public static void close(int fd) {
    Libc.close(fd);
  }
}
