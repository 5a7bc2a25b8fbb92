package gflow.process;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the new process does between fork and exec, in this order. */
final class SpawnActions implements AutoCloseable {
  private static final String NAME = "posix_spawn_file_actions_";
  static final boolean CAN_ENTER_FOLDERS = Libc.has(NAME + "addchdir_np");
  static final boolean CAN_CLOSE_THE_REST = Libc.has(NAME + "addclosefrom_np");

  private final Arena arena;
  private final MemorySegment actions;
  private final int firstFree;

  /** What stands before names that are seen from the child's folder. */
  private String above = "";

  /** Copies of descriptors that were in the way of the child's own. */
  private final List<Integer> moved = new ArrayList<>();

  /** The struct has 80 bytes in glibc; a larger one harms nobody. */
  SpawnActions(Arena arena, int inherited) throws SpawnException {
    this.arena = arena;
    this.actions = arena.allocate(512, 16);
    this.firstFree = Spawn.FIRST_INHERITED + inherited;
    add("init");
  }

  long address() {
    return actions.address();
  }

  /** {@code enter}: it is entered here; else names are seen from there, and that is all. */
  void folder(String folder, boolean enter) throws SpawnException {
    if (enter) {
      add("addchdir_np", text(folder));
    } else {
      above = folder + "/";
    }
  }

  void open(int fd, String path, int flags, int mode) throws SpawnException {
    add("addopen", fd, text(path.startsWith("/") ? path : above + path), flags, mode);
  }

  /** From a descriptor that is already the child's. */
  void copy(int from, int to) throws SpawnException {
    add("adddup2", from, to);
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

  /** {@code atOnce}: also what another thread opens until then. */
  void closeTheRest(boolean atOnce) throws SpawnException {
    boolean none = firstFree == Spawn.FIRST_INHERITED;
    for (int fd = 3; fd < Spawn.FIRST_INHERITED && !(none && atOnce); fd++) {
      add("addclose", fd);
    }
    if (atOnce) {
      add("addclosefrom_np", none ? 3 : firstFree);
      return;
    }
    for (String open : KernelFile.names(Path.of("/proc/self/fd"))) {
      if (Integer.parseInt(open) >= firstFree) {
        add("addclose", Integer.parseInt(open));
      }
    }
  }

  @Override
  public void close() {
    moved.forEach(Libc::close);
    Libc.plain(NAME + "destroy", actions.address());
  }

  private long text(String text) {
    return arena.allocateFrom(text).address();
  }

  private void add(String what, long... arguments) throws SpawnException {
    long[] all = new long[arguments.length + 1];
    all[0] = actions.address();
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    int error = (int) Libc.plain(NAME + what, all);
    if (error != 0) {
      throw new SpawnException("cannot prepare a process: " + Libc.text(error), error);
    }
  }
}
