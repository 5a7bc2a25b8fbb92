package gflow.process;

import java.io.IOException;
import java.nio.file.Path;

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

  /** Waits for bytes; their number, 0 at the end. */
  public static int read(int fd, byte[] into) throws IOException {
    return Libc.check(Libc.read(fd, into), "read a pipe");
  }

  /** Writes all of it. */
  public static void write(int fd, byte[] bytes) throws IOException {
    for (int done = 0; done < bytes.length; ) {
      int count = Libc.write(fd, bytes, done, bytes.length - done);
      done += Libc.check(count, "write a pipe");
    }
  }

  public static void close(int fd) {
    Libc.close(fd);
  }
}
