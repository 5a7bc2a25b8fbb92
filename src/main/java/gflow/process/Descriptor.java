package gflow.process;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.OptionalInt;

/**
 * A pipe or terminal of another process, opened so that no call on it ever waits and no terminal
 * becomes ours: a thread that waits for a caller must not hold a carrier.
 */
public final class Descriptor implements AutoCloseable {
  private static final int O_NOCTTY = 0400;
  private static final int QUIET = Libc.O_NONBLOCK | Libc.O_CLOEXEC | O_NOCTTY;
  private static final long TIOCGWINSZ = 0x5413;
  private static final short POLLERR = 8;

  private final int fd;

  private Descriptor(int fd) {
    this.fd = fd;
  }

  public static Descriptor toRead(String path) throws IOException {
    return new Descriptor(Libc.check(Libc.open(path, Libc.O_RDONLY | QUIET, 0), "open " + path));
  }

  public static Descriptor toWrite(String path) throws IOException {
    return new Descriptor(Libc.check(Libc.open(path, Libc.O_WRONLY | QUIET, 0), "open " + path));
  }

  /** A connection to a child: our end, and the number of that which it shall inherit. */
  public record Connection(Descriptor ours, int theirs) {
    /** The child has it. */
    public void closeTheirs() {
      Libc.close(theirs);
    }
  }

  public static Connection connection() throws IOException {
    try (var arena = Arena.ofConfined()) {
      var ends = arena.allocate(JAVA_INT, 2);
      int stream = 1 | Libc.O_CLOEXEC;
      Libc.check(Libc.call("socketpair", 1 /* AF_UNIX */, stream, 0, ends.address()), "connect");
      int ours = ends.get(JAVA_INT, 0);
      Libc.fcntl(ours, 4 /* F_SETFL */, Libc.O_NONBLOCK);
      return new Connection(new Descriptor(ours), ends.getAtIndex(JAVA_INT, 1));
    }
  }

  /** Where blocked signals can be read, as {@link Signals#read} knows them; each has a bit. */
  static Descriptor ofSignals(long set) throws IOException {
    try (var arena = Arena.ofConfined()) {
      var mask = arena.allocate(128, 8);
      mask.set(JAVA_LONG, 0, set);
      int flags = Libc.O_NONBLOCK | Libc.O_CLOEXEC;
      return new Descriptor(
          Libc.check(Libc.call("signalfd", -1, mask.address(), flags), "signalfd"));
    }
  }

  int fd() {
    return fd;
  }

  /** How many bytes came: −1 at the end, 0 if there are none yet. */
  public int read(byte[] into) throws IOException {
    int got = Libc.read(fd, into);
    if (got == -Libc.EAGAIN) {
      return 0;
    }
    return Libc.check(got, "read") == 0 ? -1 : got;
  }

  /** How many bytes went: −1 if the reader is gone, 0 if there is no room yet. */
  public int write(byte[] bytes, int from) throws IOException {
    int count = Libc.write(fd, bytes, from, bytes.length - from);
    if (count == -Libc.EAGAIN) {
      return 0;
    }
    return count == -Libc.EPIPE ? -1 : Libc.check(count, "write");
  }

  /** Lets a pipe hold so much, if the machine allows it: who writes a long answer waits less. */
  public void widen(int bytes) {
    Libc.fcntl(fd, 1031 /* F_SETPIPE_SZ */, bytes);
  }

  /** Whether nobody reads from this pipe any more. */
  public boolean deserted() {
    try (var arena = Arena.ofConfined()) {
      var poll = arena.allocate(8, 4);
      poll.set(JAVA_INT, 0, fd);
      int found = Libc.call("poll", poll.address(), 1, 0);
      return found > 0 && (poll.get(JAVA_SHORT, 6) & POLLERR) != 0;
    }
  }

  /** The width of a terminal; empty if this is none, or if it does not know. */
  public OptionalInt columns() {
    try (var arena = Arena.ofConfined()) {
      var size = arena.allocate(8, 2);
      int result = Libc.call("ioctl", fd, TIOCGWINSZ, size.address());
      int columns = size.get(JAVA_SHORT, 2) & 0xffff;
      return result >= 0 && columns > 0 ? OptionalInt.of(columns) : OptionalInt.empty();
    }
  }

  @Override
  public void close() {
    Libc.close(fd);
  }
}
