package gflow.process;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The calls of the C library that this package needs. As in the kernel, a negative result is {@code
 * -errno}.
 */
final class Libc {
  static final int ENOENT = 2;
  static final int ESRCH = 3;
  static final int EINTR = 4;
  static final int ENXIO = 6;
  static final int ECHILD = 10;
  static final int EAGAIN = 11;
  static final int EEXIST = 17;
  static final int EPIPE = 32;

  static final int O_RDONLY = 0;
  static final int O_WRONLY = 1;
  static final int O_RDWR = 2;
  static final int O_CREAT = 0100;
  static final int O_EXCL = 0200;
  static final int O_TRUNC = 01000;
  static final int O_APPEND = 02000;
  static final int O_NONBLOCK = 04000;
  static final int O_CLOEXEC = 02000000;
  static final int O_NOFOLLOW = System.getProperty("os.arch").equals("aarch64") ? 0100000 : 0400000;

  /** To open what may be anything: no link is followed, and no pipe waited for. */
  static final int QUIET = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;

  /**
   * All functions have one shape here: each argument and the result in a register of its own, as
   * Linux passes integers and addresses on x86-64 and aarch64. The first call of a shape costs the
   * JVM some 15 ms, so a command that starts a few processes shall need only one.
   */
  private static final FunctionDescriptor SHAPE =
      FunctionDescriptor.of(
          JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private static final Linker LINKER = Linker.nativeLinker();
  private static final MethodHandle CALL =
      LINKER.downcallHandle(SHAPE, Linker.Option.captureCallState("errno"));
  private static final SymbolLookup FUNCTIONS = LINKER.defaultLookup();
  private static final Map<String, MemorySegment> FOUND = new ConcurrentHashMap<>();

  private Libc() {}

  /** What {@code wait4} said: the pid, 0 for "not yet", or {@code -errno}. */
  record Waited(int result, int status, long cpuMicros, long maxRssBytes) {}

  static boolean has(String name) {
    return FUNCTIONS.find(name).isPresent();
  }

  /**
   * Calls a function that says its error in {@code errno}: {@code -errno} for its −1. One that was
   * interrupted is called again; but a descriptor is closed even so.
   */
  static int call(String name, long... arguments) {
    int result = once(name, arguments);
    while (result == -EINTR && !name.equals("close")) {
      result = once(name, arguments);
    }
    return result;
  }

  /** The same for a function whose first argument is a text. */
  static int call(String name, String text, long... more) {
    try (var arena = Arena.ofConfined()) {
      var arguments = new long[more.length + 1];
      arguments[0] = arena.allocateFrom(text).address();
      System.arraycopy(more, 0, arguments, 1, more.length);
      return call(name, arguments);
    }
  }

  private static int once(String name, long... arguments) {
    int wrong = InjectedFaults.error(name);
    if (wrong != 0) {
      return -wrong;
    }
    try (var arena = Arena.ofConfined()) {
      var state = arena.allocate(STATE);
      // The upper half of the register means nothing where the function returns an int.
      int result = (int) invoke(name, state, arguments);
      return result >= 0 ? result : -(int) ERRNO.get(state, 0L);
    }
  }

  /** Calls a function whose result is its error, or an address. */
  static long plain(String name, long... arguments) {
    int wrong = name.startsWith("posix_spawn") ? InjectedFaults.error(name) : 0;
    if (wrong != 0) {
      return wrong;
    }
    try (var arena = Arena.ofConfined()) {
      return invoke(name, arena.allocate(STATE), arguments);
    }
  }

  private static long invoke(String name, MemorySegment state, long[] some) {
    var function = FOUND.computeIfAbsent(name, FUNCTIONS::findOrThrow);
    long[] a = Arrays.copyOf(some, 6);
    try {
      return (long) CALL.invokeExact(function, state, a[0], a[1], a[2], a[3], a[4], a[5]);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  private static RuntimeException broken(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return e instanceof RuntimeException known ? known : new IllegalStateException(e);
  }

  static String text(int errno) {
    long text = plain("strerror", Math.abs(errno));
    return MemorySegment.ofAddress(text).reinterpret(256).getString(0);
  }

  /** The result of a call, or why what it was for cannot be done. */
  static int check(int result, String what) throws IOException {
    if (result < 0) {
      throw new IOException("cannot " + what + ": " + text(result));
    }
    return result;
  }

  /** Reaps one dead child; never waits. */
  static Waited wait4(long pid) {
    return wait4(pid, 1 /* WNOHANG */);
  }

  static Waited wait4(long pid, int options) {
    try (var arena = Arena.ofConfined()) {
      var status = arena.allocate(JAVA_INT);
      var usage = arena.allocate(JAVA_LONG, 32);
      int result = call("wait4", pid, status.address(), options, usage.address());
      long seconds = usage.getAtIndex(JAVA_LONG, 0) + usage.getAtIndex(JAVA_LONG, 2);
      long micros = usage.getAtIndex(JAVA_LONG, 1) + usage.getAtIndex(JAVA_LONG, 3);
      long maxRss = usage.getAtIndex(JAVA_LONG, 4) * 1024;
      return new Waited(result, status.get(JAVA_INT, 0), seconds * 1_000_000 + micros, maxRss);
    }
  }

  // Kernel calls that older C libraries have no function for. These two numbers are the same on
  // every architecture.
  static int pidfdOpen(long pid) {
    return call("syscall", 434, pid, 0, 0, 0);
  }

  static int pidfdSendSignal(int pidfd, int signal) {
    return call("syscall", 424, pidfd, signal, 0, 0);
  }

  /** Sets the soft limit and leaves the hard one as it is. */
  static int softLimit(long pid, int resource, long soft) {
    try (var arena = Arena.ofConfined()) {
      var limit = arena.allocate(JAVA_LONG, 2);
      int got = call("prlimit", pid, resource, 0, limit.address());
      if (got < 0) {
        return got;
      }
      limit.set(JAVA_LONG, 0, soft);
      return call("prlimit", pid, resource, limit.address(), 0);
    }
  }

  static int open(String path, int flags, int mode) {
    return call("open", path, flags, mode);
  }

  static int close(int fd) {
    return call("close", fd);
  }

  static int read(int fd, byte[] into) {
    try (var arena = Arena.ofConfined()) {
      var buffer = arena.allocate(into.length);
      int got = call("read", fd, buffer.address(), into.length);
      MemorySegment.copy(buffer, JAVA_BYTE, 0, into, 0, Math.max(got, 0));
      return got;
    }
  }

  static int write(int fd, byte[] bytes, int from, int count) {
    try (var arena = Arena.ofConfined()) {
      var buffer = arena.allocate(count);
      MemorySegment.copy(bytes, from, buffer, JAVA_BYTE, 0, count);
      return call("write", fd, buffer.address(), count);
    }
  }

  static int fcntl(int fd, int command, int value) {
    return call("fcntl", fd, command, value);
  }
}
