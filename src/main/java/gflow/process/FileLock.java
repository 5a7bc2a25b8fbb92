package gflow.process;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.OptionalInt;

/**
 * A lock that belongs to an open file and not to a process (flock): passed on to a child, it lasts
 * until the last holder of the descriptor is gone.
 */
public final class FileLock {
  private static final int SHARED_NOW = 1 | 4;
  private static final int EXCLUSIVE_NOW = 2 | 4;
  private static final int PATIENCE = 20;
  private static final int MODE = 0644;
  private static final int TYPE = 0170000;
  private static final int PLAIN = 0100000;

  private FileLock() {}

  /** The locked descriptor, or empty if somebody else has the lock. */
  public static OptionalInt tryLock(Path path) throws IOException {
    return tryLock(path, EXCLUSIVE_NOW);
  }

  /** The same with others who share it; none of them may have it alone. */
  public static OptionalInt tryShare(Path path) throws IOException {
    return tryLock(path, SHARED_NOW);
  }

  private static OptionalInt tryLock(Path path, int how) throws IOException {
    for (int turn = 0; turn < PATIENCE; turn++) {
      int fd = open(path);
      int result = Libc.call("flock", fd, how);
      if (result >= 0 && isStill(fd, path)) {
        return OptionalInt.of(fd);
      }
      Libc.close(fd);
      if (result == -Libc.EAGAIN) {
        return OptionalInt.empty();
      }
      Libc.check(result, "lock " + path);
    }
    throw new IOException("cannot lock " + path + ": it is another file at each look");
  }

  /** Drops our hold; a child that inherited the descriptor keeps the lock. */
  public static void close(int fd) {
    Libc.close(fd);
  }

  /**
   * In a folder that others may write, a name may be anybody's: no link is followed, no pipe is
   * waited for, a new file is made by nobody else, and its mode is set by the descriptor. Reading
   * is enough to lock, and opening without O_CREAT first is needed: in a shared sticky folder the
   * kernel refuses O_CREAT on a file of another user (fs.protected_regular).
   */
  private static int open(Path path) throws IOException {
    int careful = Libc.O_RDONLY | Libc.QUIET;
    int fd = -Libc.EEXIST;
    for (int turn = 0; turn < PATIENCE && fd == -Libc.EEXIST; turn++) {
      fd = Libc.open(path.toString(), careful, 0);
      if (fd == -Libc.ENOENT) {
        fd = Libc.open(path.toString(), careful | Libc.O_CREAT | Libc.O_EXCL, MODE);
        if (fd >= 0) {
          Libc.call("fchmod", fd, MODE);
        }
      }
    }
    Libc.check(fd, "open " + path);
    checkPlain(fd, path);
    return fd;
  }

  private static void checkPlain(int fd, Path path) throws IOException {
    var seen = Files.readAttributes(opened(fd), "unix:mode,nlink");
    boolean plain = ((int) seen.get("mode") & TYPE) == PLAIN;
    if (!plain || (int) seen.get("nlink") > 1) {
      Libc.close(fd);
      throw new IOException(path + " is no file of a lock; look who made it, and remove it");
    }
  }

  /** Its owner may have removed it between our open and our lock: then others lock another one. */
  private static boolean isStill(int fd, Path path) throws IOException {
    try {
      var named = Files.readAttributes(path, BasicFileAttributes.class, NOFOLLOW_LINKS);
      var held = Files.readAttributes(opened(fd), BasicFileAttributes.class);
      return Objects.equals(named.fileKey(), held.fileKey());
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static Path opened(int fd) {
    return Path.of("/proc/self/fd/" + fd);
  }
}
