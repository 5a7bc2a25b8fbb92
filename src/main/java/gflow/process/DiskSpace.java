package gflow.process;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** Room on a disk. */
public final class DiskSpace {
  private static final int KEEP_SIZE = 1;
  private static final int ENOSPC = 28;
  private static final int EDQUOT = 122;

  private DiskSpace() {}

  /**
   * Sets so much aside for a file that is there, beyond what it has and without making it longer:
   * what is written there later cannot fail for want of room. Where the file system knows no such
   * thing, nothing is done.
   */
  public static void reserve(Path file, long from, long length) throws IOException {
    int fd = Libc.open(file.toString(), Libc.O_WRONLY | Libc.O_CLOEXEC, 0);
    if (fd < 0) {
      throw new FileSystemException(file.toString(), null, Libc.text(fd));
    }
    int result = Libc.call("fallocate", fd, KEEP_SIZE, from, length);
    Libc.close(fd);
    if (result == -ENOSPC || result == -EDQUOT) {
      throw new FileSystemException(file.toString(), null, Libc.text(result));
    }
  }

  /** Whether something failed because there is none: that passes, other reasons do not. */
  public static boolean isLacking(IOException e) {
    String why = String.valueOf(e.getMessage());
    return why.endsWith(Libc.text(ENOSPC)) || why.endsWith(Libc.text(EDQUOT));
  }
}
