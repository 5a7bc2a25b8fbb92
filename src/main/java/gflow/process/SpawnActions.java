package gflow.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;

/** What the new process does between fork and exec, in this order. */
final class SpawnActions implements AutoCloseable {
  private static final String NAME = "posix_spawn_file_actions_";
  private static final MethodHandle INIT = Libc.bind(NAME + "init", Libc.type(JAVA_INT, ADDRESS));
  private static final MethodHandle DESTROY =
      Libc.bind(NAME + "destroy", Libc.type(JAVA_INT, ADDRESS));
  private static final MethodHandle OPEN =
      Libc.bind(
          NAME + "addopen", Libc.type(JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
  private static final MethodHandle DUP2 =
      Libc.bind(NAME + "adddup2", Libc.type(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));
  private static final MethodHandle CLOSE =
      Libc.bind(NAME + "addclose", Libc.type(JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle CLOSE_FROM =
      Libc.bind(NAME + "addclosefrom_np", Libc.type(JAVA_INT, ADDRESS, JAVA_INT));
  private static final MethodHandle CHDIR =
      Libc.bind(NAME + "addchdir_np", Libc.type(JAVA_INT, ADDRESS, ADDRESS));

  private final Arena arena;
  private final MemorySegment actions;
  private final int firstFree;

  /** Copies of descriptors that were in the way of the child's own. */
  private final List<Integer> moved = new ArrayList<>();

  static boolean exist() {
    return Libc.has(NAME + "addclosefrom_np") && Libc.has(NAME + "addchdir_np");
  }

  /** The struct has 80 bytes in glibc; a larger one harms nobody. */
  SpawnActions(Arena arena, int inherited) throws SpawnException {
    this.arena = arena;
    this.actions = arena.allocate(512, 16);
    this.firstFree = Spawn.FIRST_INHERITED + inherited;
    add(() -> (int) INIT.invokeExact(actions));
  }

  MemorySegment segment() {
    return actions;
  }

  void folder(String folder) throws SpawnException {
    add(() -> (int) CHDIR.invokeExact(actions, arena.allocateFrom(folder)));
  }

  void open(int fd, String path, int flags, int mode) throws SpawnException {
    add(() -> (int) OPEN.invokeExact(actions, fd, arena.allocateFrom(path), flags, mode));
  }

  /** From a descriptor that is already the child's. */
  void copy(int from, int to) throws SpawnException {
    add(() -> (int) DUP2.invokeExact(actions, from, to));
  }

  /**
   * From a descriptor of ours, moved out of the way first if the child's own would overwrite it.
   */
  void give(int ours, int to) throws SpawnException {
    int from = ours;
    if (ours < firstFree) {
      from = Libc.fcntl(ours, 1030 /* F_DUPFD_CLOEXEC */, firstFree);
      if (from < 0) {
        throw new SpawnException("descriptor " + ours + ": " + Libc.text(from), -from);
      }
      moved.add(from);
    }
    copy(from, to);
  }

  void closeTheRest() throws SpawnException {
    boolean none = firstFree == Spawn.FIRST_INHERITED;
    for (int fd = 3; fd < Spawn.FIRST_INHERITED && !none; fd++) {
      int gap = fd;
      add(() -> (int) CLOSE.invokeExact(actions, gap));
    }
    add(() -> (int) CLOSE_FROM.invokeExact(actions, none ? 3 : firstFree));
  }

  @Override
  public void close() {
    moved.forEach(Libc::close);
    try {
      int _ = (int) DESTROY.invokeExact(actions);
    } catch (Throwable e) {
      throw Libc.broken(e);
    }
  }

  /** One call that adds an action; its result is the error. */
  private interface Add {
    int call() throws Throwable;
  }

  private static void add(Add add) throws SpawnException {
    int error;
    try {
      error = add.call();
    } catch (Throwable e) {
      throw Libc.broken(e);
    }
    if (error != 0) {
      throw new SpawnException("cannot prepare a process: " + Libc.text(error), error);
    }
  }
}
