package gflow.process;

import static java.lang.foreign.Linker.Option.firstVariadicArg;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The calls of the C library that this package needs. Each is bound at its first use, by a class of
 * its own. As in the kernel, a negative result is {@code -errno}.
 */
final class Libc {
  static final int ENOENT = 2;
  static final int ESRCH = 3;
  static final int EINTR = 4;
  static final int ENXIO = 6;
  static final int EAGAIN = 11;
  static final int EEXIST = 17;
  static final int EPIPE = 32;
  static final int ENOSYS = 38;

  static final int O_RDONLY = 0;
  static final int O_WRONLY = 1;
  static final int O_RDWR = 2;
  static final int O_CREAT = 0100;
  static final int O_EXCL = 0200;
  static final int O_TRUNC = 01000;
  static final int O_APPEND = 02000;
  static final int O_NONBLOCK = 04000;
  static final int O_CLOEXEC = 02000000;

  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private Libc() {}

  /** One native call; {@code state} receives its errno, {@code arena} lives until it returns. */
  interface Call {
    long make(MemorySegment state, Arena arena) throws Throwable;
  }

  /** What {@code wait4} said: the pid, 0 for "not yet", or {@code -errno}. */
  record Waited(int result, int status, long cpuMicros, long maxRssBytes) {}

  static FunctionDescriptor type(MemoryLayout result, MemoryLayout... arguments) {
    return FunctionDescriptor.of(result, arguments);
  }

  static boolean has(String name) {
    return LINKER.defaultLookup().find(name).isPresent();
  }

  /** Binds a function that says its error by its result. */
  static MethodHandle bind(String name, FunctionDescriptor type) {
    return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), type);
  }

  /** Binds a function that says its error in {@code errno}, which its first argument receives. */
  static MethodHandle bindErrno(String name, FunctionDescriptor type, Linker.Option... options) {
    var errno = Linker.Option.captureCallState("errno");
    var all = Stream.concat(Arrays.stream(options), Stream.of(errno));
    return LINKER.downcallHandle(
        LINKER.defaultLookup().findOrThrow(name), type, all.toArray(Linker.Option[]::new));
  }

  /** Makes the call, with {@code -errno} for its −1. */
  static int call(Call call) {
    try (var arena = Arena.ofConfined()) {
      var state = arena.allocate(STATE);
      long result = call.make(state, arena);
      return result >= 0 ? (int) result : -(int) ERRNO.get(state, 0L);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  static RuntimeException broken(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    return e instanceof RuntimeException known ? known : new IllegalStateException(e);
  }

  static String text(int errno) {
    final class Bound {
      static final MethodHandle STRERROR = bind("strerror", type(ADDRESS, JAVA_INT));
    }
    try {
      var text = (MemorySegment) Bound.STRERROR.invokeExact(Math.abs(errno));
      return text.reinterpret(256).getString(0);
    } catch (Throwable e) {
      throw broken(e);
    }
  }

  static int kill(long pid, int signal) {
    final class Bound {
      static final MethodHandle KILL = bindErrno("kill", type(JAVA_INT, JAVA_INT, JAVA_INT));
    }
    return call((state, _) -> (int) Bound.KILL.invokeExact(state, (int) pid, signal));
  }

  /** Reaps one dead child; never waits. */
  static Waited wait4(long pid) {
    final class Bound {
      static final MethodHandle WAIT4 =
          bindErrno("wait4", type(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, ADDRESS));
    }
    try (var outer = Arena.ofConfined()) {
      var status = outer.allocate(JAVA_INT);
      var usage = outer.allocate(JAVA_LONG, 32);
      int wnohang = 1;
      int result =
          call(
              (state, _) ->
                  (int) Bound.WAIT4.invokeExact(state, (int) pid, status, wnohang, usage));
      long seconds = usage.getAtIndex(JAVA_LONG, 0) + usage.getAtIndex(JAVA_LONG, 2);
      long micros = usage.getAtIndex(JAVA_LONG, 1) + usage.getAtIndex(JAVA_LONG, 3);
      long maxRss = usage.getAtIndex(JAVA_LONG, 4) * 1024;
      return new Waited(result, status.get(JAVA_INT, 0), seconds * 1_000_000 + micros, maxRss);
    }
  }

  /** A kernel call that older C libraries have no function for. */
  private static int syscall(long number, long a, long b, long c, long d) {
    final class Bound {
      static final MethodHandle SYSCALL =
          bindErrno(
              "syscall",
              type(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
              firstVariadicArg(1));
    }
    return call((state, _) -> (long) Bound.SYSCALL.invokeExact(state, number, a, b, c, d));
  }

  // These two numbers are the same on every architecture.
  static int pidfdOpen(long pid) {
    return syscall(434, pid, 0, 0, 0);
  }

  static int pidfdSendSignal(int pidfd, int signal) {
    return syscall(424, pidfd, signal, 0, 0);
  }

  static int prctl(int option, long value) {
    final class Bound {
      static final MethodHandle PRCTL =
          bindErrno(
              "prctl",
              type(JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
              firstVariadicArg(1));
    }
    return call((state, _) -> (int) Bound.PRCTL.invokeExact(state, option, value, 0L, 0L, 0L));
  }

  /** Sets the soft limit and leaves the hard one as it is. */
  static int softLimit(long pid, int resource, long soft) {
    final class Bound {
      static final MethodHandle PRLIMIT =
          bindErrno("prlimit", type(JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    }
    return call(
        (state, arena) -> {
          var limit = arena.allocate(JAVA_LONG, 2);
          var none = MemorySegment.NULL;
          int got = (int) Bound.PRLIMIT.invokeExact(state, (int) pid, resource, none, limit);
          if (got < 0) {
            return got;
          }
          limit.set(JAVA_LONG, 0, soft);
          return (int) Bound.PRLIMIT.invokeExact(state, (int) pid, resource, limit, none);
        });
  }

  static int open(String path, int flags, int mode) {
    final class Bound {
      static final MethodHandle OPEN =
          bindErrno("open", type(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT), firstVariadicArg(2));
    }
    return call(
        (state, arena) ->
            (int) Bound.OPEN.invokeExact(state, arena.allocateFrom(path), flags, mode));
  }

  static int close(int fd) {
    final class Bound {
      static final MethodHandle CLOSE = bindErrno("close", type(JAVA_INT, JAVA_INT));
    }
    return call((state, _) -> (int) Bound.CLOSE.invokeExact(state, fd));
  }

  static int read(int fd, byte[] into) {
    final class Bound {
      static final MethodHandle READ =
          bindErrno("read", type(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    }
    return call(
        (state, arena) -> {
          var buffer = arena.allocate(into.length);
          long got = (long) Bound.READ.invokeExact(state, fd, buffer, (long) into.length);
          MemorySegment.copy(buffer, JAVA_BYTE, 0, into, 0, (int) Math.max(got, 0));
          return got;
        });
  }

  static int write(int fd, byte[] bytes, int from, int count) {
    final class Bound {
      static final MethodHandle WRITE =
          bindErrno("write", type(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    }
    return call(
        (state, arena) -> {
          var buffer = arena.allocate(count);
          MemorySegment.copy(bytes, from, buffer, JAVA_BYTE, 0, count);
          return (long) Bound.WRITE.invokeExact(state, fd, buffer, (long) count);
        });
  }

  static int fcntl(int fd, int command, int value) {
    final class Bound {
      static final MethodHandle FCNTL =
          bindErrno("fcntl", type(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT), firstVariadicArg(2));
    }
    return call((state, _) -> (int) Bound.FCNTL.invokeExact(state, fd, command, value));
  }

  static int flock(int fd, int operation) {
    final class Bound {
      static final MethodHandle FLOCK = bindErrno("flock", type(JAVA_INT, JAVA_INT, JAVA_INT));
    }
    return call((state, _) -> (int) Bound.FLOCK.invokeExact(state, fd, operation));
  }

  static int mkfifo(String path, int mode) {
    final class Bound {
      static final MethodHandle MKFIFO = bindErrno("mkfifo", type(JAVA_INT, ADDRESS, JAVA_INT));
    }
    return call(
        (state, arena) -> (int) Bound.MKFIFO.invokeExact(state, arena.allocateFrom(path), mode));
  }

  static int chmod(String path, int mode) {
    final class Bound {
      static final MethodHandle CHMOD = bindErrno("chmod", type(JAVA_INT, ADDRESS, JAVA_INT));
    }
    return call(
        (state, arena) -> (int) Bound.CHMOD.invokeExact(state, arena.allocateFrom(path), mode));
  }

  /** Where a symbolic link points, as the kernel's bytes. */
  static Optional<byte[]> readlink(String path) {
    final class Bound {
      static final MethodHandle READLINK =
          bindErrno("readlink", type(JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG));
    }
    try (var outer = Arena.ofConfined()) {
      var target = outer.allocate(8192);
      int got =
          call(
              (state, arena) ->
                  (long)
                      Bound.READLINK.invokeExact(
                          state, arena.allocateFrom(path), target, target.byteSize()));
      return got < 0 ? Optional.empty() : Optional.of(target.asSlice(0, got).toArray(JAVA_BYTE));
    }
  }
}
