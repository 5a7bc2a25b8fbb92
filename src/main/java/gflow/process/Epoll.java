package gflow.process;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/** A set of descriptors, each with a number, and one thread that waits for them. */
final class Epoll implements AutoCloseable {
  /** The kernel packs the record on x86-64 (12 bytes) and aligns it elsewhere (16). */
  private static final boolean PACKED =
      System.getProperty("os.arch").toLowerCase(Locale.ROOT).matches("amd64|x86_64");

  private static final long SIZE = PACKED ? 12 : 16;
  private static final long DATA = PACKED ? 4 : 8;
  private static final int ROOM = 64;
  private static final int EPOLLIN = 1;
  private static final int ADD = 1;
  private static final int REMOVE = 2;

  private final int fd;
  private final Arena arena = Arena.ofShared();
  private final MemorySegment ready = arena.allocate(SIZE * ROOM, 8);

  Epoll() {
    fd = Libc.call("epoll_create1", Libc.O_CLOEXEC);
    if (fd < 0) {
      throw new IllegalStateException("epoll_create1: " + Libc.text(fd));
    }
  }

  void add(int member, long number) {
    if (!tryAdd(member, number)) {
      throw new IllegalStateException("epoll_ctl refused descriptor " + member);
    }
  }

  /** False if the kernel has no room for it. */
  boolean tryAdd(int member, long number) {
    try (var local = Arena.ofConfined()) {
      var event = local.allocate(SIZE, 8);
      event.set(JAVA_INT_UNALIGNED, 0, EPOLLIN);
      event.set(JAVA_LONG_UNALIGNED, DATA, number);
      return control(fd, ADD, member, event) >= 0;
    }
  }

  void remove(int member) {
    control(fd, REMOVE, member, MemorySegment.NULL);
  }

  /** The numbers of those that are readable; empty after the time, or when interrupted. */
  long[] await(int timeoutMillis) {
    int count = Math.max(0, Libc.call("epoll_wait", fd, ready.address(), ROOM, timeoutMillis));
    var numbers = new long[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = ready.get(JAVA_LONG_UNALIGNED, i * SIZE + DATA);
    }
    return numbers;
  }

  @Override
  public void close() {
    Libc.close(fd);
    arena.close();
  }

  private static int control(int epoll, int operation, int fd, MemorySegment event) {
    return Libc.call("epoll_ctl", epoll, operation, fd, event.address());
  }

  /** A descriptor that becomes readable when {@link #ring} is called. */
  static int bell() {
    return Libc.call("eventfd", 0, Libc.O_CLOEXEC | Libc.O_NONBLOCK);
  }

  /** Who is not woken would sleep for ever, so a failure is not believed at once. */
  static void ring(int bell) {
    byte[] one = {1, 0, 0, 0, 0, 0, 0, 0};
    for (int i = 0; i < 100 && Libc.write(bell, one, 0, Long.BYTES) < 0; i++) {
      Thread.onSpinWait();
    }
  }

  static void hush(int bell) {
    Libc.read(bell, new byte[Long.BYTES]);
  }
}
