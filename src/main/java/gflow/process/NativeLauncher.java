package gflow.process;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts processes by {@code posix_spawn} of glibc. One before 2.29 cannot enter a folder on the
 * way, so {@code env -C} does; one before 2.34 cannot close all descriptors, so those that are open
 * now are closed one by one.
 */
record NativeLauncher(boolean entersFolder, boolean closesTheRest) implements Launcher {
  private static final int SETSIGDEF = 0x04;
  private static final int SETSIGMASK = 0x08;
  private static final int SETSID = 0x80;
  private static final int OWN = Libc.O_CREAT | Libc.O_APPEND | Libc.O_WRONLY;
  private static final int OWN_MODE = 0600;

  /** The same for every child, never changed: made once. */
  private static final MemorySegment ATTRIBUTES = attributes(Arena.global());

  @Override
  public long spawn(Spawn spawn) throws SpawnException {
    try (var arena = Arena.ofConfined();
        var actions = new SpawnActions(arena, spawn.inherit().size())) {
      prepare(actions, spawn);
      var pid = arena.allocate(JAVA_INT);
      List<String> words = entersFolder ? spawn.argv() : inFolder(spawn);
      var program = arena.allocateFrom(words.getFirst());
      var argv = arguments(arena, words);
      var environment = environment(arena, spawn);
      return Children.start(
          () -> {
            int error =
                (int)
                    Libc.plain(
                        "posix_spawn",
                        pid.address(),
                        program.address(),
                        actions.address(),
                        ATTRIBUTES.address(),
                        argv.address(),
                        environment.address());
            if (error != 0) {
              throw new SpawnException(explain(spawn, error), error);
            }
            return pid.get(JAVA_INT, 0);
          });
    }
  }

  /** What {@code env} would say on the job's stderr is said before. */
  private static List<String> inFolder(Spawn spawn) throws SpawnException {
    for (String needed : List.of(spawn.folder(), spawn.argv().getFirst())) {
      if (!mayExecute(needed)) {
        throw new SpawnException(explain(spawn, Libc.ENOENT), Libc.ENOENT);
      }
    }
    var words = new ArrayList<>(List.of("/usr/bin/env", "-C", spawn.folder()));
    words.addAll(spawn.argv());
    return words;
  }

  private void prepare(SpawnActions actions, Spawn spawn) throws SpawnException {
    // Ours are given first, and to numbers that the copies below cannot meet.
    for (int i = 0; i < spawn.inherit().size(); i++) {
      actions.give(spawn.inherit().get(i), Spawn.FIRST_INHERITED + i);
    }
    actions.folder(spawn.folder(), entersFolder);
    lead(actions, 0, spawn.stdin());
    lead(actions, 1, spawn.stdout());
    lead(actions, 2, spawn.stderr());
    actions.closeTheRest(closesTheRest);
  }

  private static void lead(SpawnActions actions, int fd, Stdio stdio) throws SpawnException {
    switch (stdio) {
      case Stdio.Null() -> actions.open(fd, "/dev/null", Libc.O_RDWR, 0);
      case Stdio.Read(var path) -> actions.open(fd, path, Libc.O_RDONLY, 0);
      case Stdio.Write(var path, var append, var mode) -> {
        make(path, mode);
        // Whoever writes there too, writes at the end.
        int way = Libc.O_CREAT | Libc.O_APPEND | (append ? 0 : Libc.O_TRUNC);
        actions.open(fd, path, way | (isPlain(path) ? Libc.O_WRONLY : Libc.O_RDWR), mode);
      }
      case Stdio.Own(var path) -> actions.open(fd, path, OWN, OWN_MODE);
      case Stdio.Open(var ours) -> actions.give(ours, fd);
      case Stdio.SameAsStdout() -> actions.copy(1, fd);
    }
  }

  /**
   * A new file that others may read has this mode, whatever our own umask is: it is the submitter's
   * that counts. What goes wrong here goes wrong in the child too, and is said there.
   */
  private static void make(String path, int mode) {
    // A name without a slash first is seen from the child's folder, not from ours.
    boolean ourUmaskMatters = (mode & 077) != 0 && path.startsWith("/");
    int exclusively = Libc.O_WRONLY | Libc.O_CREAT | Libc.O_EXCL | Libc.O_CLOEXEC;
    int fd = ourUmaskMatters ? Libc.open(path, exclusively, mode) : -1;
    if (fd >= 0) {
      Libc.call("fchmod", fd, mode);
      Libc.close(fd);
    }
  }

  /** To open a pipe without a reader only for writing would make us wait for one, for ever. */
  private static boolean isPlain(String path) {
    try {
      var file = Path.of(path);
      return !Files.exists(file) || Files.isRegularFile(file);
    } catch (InvalidPathException _) {
      return true;
    }
  }

  private static MemorySegment arguments(Arena arena, List<String> argv) {
    var pointers = arena.allocate(ADDRESS, argv.size() + 1L);
    for (int i = 0; i < argv.size(); i++) {
      pointers.setAtIndex(ADDRESS, i, word(arena, argv.get(i)));
    }
    return pointers;
  }

  private static MemorySegment word(Arena arena, String word) {
    byte[] bytes = RawText.bytes(word);
    var text = arena.allocate(bytes.length + 1L);
    MemorySegment.copy(bytes, 0, text, JAVA_BYTE, 0, bytes.length);
    return text;
  }

  private static MemorySegment environment(Arena arena, Spawn spawn) {
    byte[] block = spawn.environment();
    var text = arena.allocate(block.length + 1L);
    MemorySegment.copy(block, 0, text, JAVA_BYTE, 0, block.length);
    var starts = spawn.entries();
    var pointers = arena.allocate(ADDRESS, starts.size() + 1L);
    for (int i = 0; i < starts.size(); i++) {
      pointers.setAtIndex(ADDRESS, i, text.asSlice(starts.get(i)));
    }
    return pointers;
  }

  /** The structs have 336 and 128 bytes in glibc; larger ones harm nobody. */
  private static MemorySegment attributes(Arena arena) {
    var attributes = arena.allocate(1024, 16);
    var none = arena.allocate(256, 16);
    var all = arena.allocate(256, 16);
    // Not sigfillset: it leaves out two signals of glibc, which the child would then ignore.
    all.set(JAVA_LONG, 0, -1);
    String name = "posix_spawnattr_";
    long error = (int) Libc.plain(name + "init", attributes.address());
    error |= (int) Libc.plain("sigemptyset", none.address());
    error |= (int) Libc.plain(name + "setsigmask", attributes.address(), none.address());
    error |= (int) Libc.plain(name + "setsigdefault", attributes.address(), all.address());
    long flags = SETSID | SETSIGMASK | SETSIGDEF;
    error |= (int) Libc.plain(name + "setflags", attributes.address(), flags);
    if (error != 0) {
      throw new IllegalStateException("posix_spawnattr refused: " + Libc.text((int) error));
    }
    return attributes;
  }

  /** {@code posix_spawn} has one error for all its steps; look which one it can have been. */
  private static String explain(Spawn spawn, int error) {
    String why = ": " + Libc.text(error);
    if (KernelException.isUsedUp(error)) {
      return "cannot start a process" + why;
    }
    if (tryOpen(spawn.folder(), Libc.O_RDONLY) < 0 || !mayExecute(spawn.folder())) {
      return "cannot enter folder " + spawn.folder() + why;
    }
    for (var stdio : List.of(spawn.stdin(), spawn.stdout(), spawn.stderr())) {
      if (stdio instanceof Stdio.Read(var path) && tryOpen(path, Libc.O_RDONLY) < 0) {
        return "cannot read " + path + why;
      }
      if (stdio instanceof Stdio.Write(var path, _, var mode) && !canWrite(path, mode)) {
        return "cannot write " + path + why;
      }
      if (stdio instanceof Stdio.Own(var path) && !canWrite(path, OWN_MODE)) {
        return "cannot write " + path + why;
      }
    }
    return "cannot run " + spawn.argv().getFirst() + why;
  }

  /** Of a folder: enter it. */
  private static boolean mayExecute(String path) {
    return Libc.call("access", path, 1 /* X_OK */) >= 0;
  }

  private static boolean canWrite(String path, int mode) {
    int flags = Libc.O_RDWR | Libc.O_CREAT | Libc.O_NONBLOCK | Libc.O_CLOEXEC;
    int fd = Libc.open(path, flags, mode);
    return fd >= 0 && Libc.close(fd) >= 0;
  }

  private static int tryOpen(String path, int flags) {
    int fd = Libc.open(path, flags | Libc.O_NONBLOCK | Libc.O_CLOEXEC, 0);
    return fd < 0 ? fd : Libc.close(fd);
  }
}
