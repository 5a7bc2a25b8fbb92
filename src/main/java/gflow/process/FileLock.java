package gflow.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalInt;

/**
 * A lock that belongs to an open file and not to a process (flock): passed on to a child, it lasts
 * until the last holder of the descriptor is gone.
 */
public final class FileLock {
  private static final int SHARED_NOW = 1 | 4;
  private static final int EXCLUSIVE_NOW = 2 | 4;

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
    int fd = open(path.toString());
    int result = Libc.flock(fd, how);
    if (result >= 0) {
      return OptionalInt.of(fd);
    }
    Libc.close(fd);
    if (result == -Libc.EAGAIN) {
      return OptionalInt.empty();
    }
    throw new IOException("cannot lock " + path + ": " + Libc.text(result));
  }

  /** Drops our hold; a child that inherited the descriptor keeps the lock. */
  public static void close(int fd) {
    Libc.close(fd);
  }

  /**
   * Reading is enough to lock, and opening without O_CREAT first is needed: in a shared sticky
   * folder the kernel refuses O_CREAT on a file of another user (fs.protected_regular).
   */
  private static int open(String path) throws IOException {
    int nofollow = noFollow();
    for (int turn = 0; ; turn++) {
      int fd = Libc.open(path, Libc.O_RDONLY | Libc.O_CLOEXEC | nofollow, 0);
      if (fd == -Libc.ENOENT) {
        int create = Libc.O_RDONLY | Libc.O_CREAT | Libc.O_EXCL | Libc.O_CLOEXEC;
        fd = Libc.open(path, create, 0644);
        if (fd >= 0) {
          Libc.chmod(path, 0644);
        }
      }
      if (fd >= 0) {
        return fd;
      }
      if (fd != -Libc.EEXIST || turn > 10) {
        throw new IOException("cannot open " + path + ": " + Libc.text(fd));
      }
    }
  }

  private static int noFollow() {
    return System.getProperty("os.arch").equals("aarch64") ? 0100000 : 0400000;
  }
}
