package gflow.process;

import java.io.IOException;
import java.util.Set;

/** The kernel did not do what it was asked for, with its reason. */
public class KernelException extends IOException {
  private static final long serialVersionUID = 1;

  /** EINTR, EIO, EAGAIN, ENOMEM, ENFILE, EMFILE: another try may have more luck. */
  private static final Set<Integer> PASSING = Set.of(4, 5, 11, 12, 23, 24);

  /** EPERM, ENXIO, EACCES, ENODEV, ENOTDIR, EISDIR, ELOOP: what is there is not what should be. */
  private static final Set<Integer> STRANGE = Set.of(1, 6, 13, 19, 20, 21, 40);

  /** ENOENT, E2BIG, ENOEXEC, EINVAL, ETXTBSY, EROFS, ENAMETOOLONG, and the strange ones. */
  private static final Set<Integer> ASKED = Set.of(2, 7, 8, 22, 26, 30, 36);

  private static final int EIO = 5;

  private final int errno;

  KernelException(int errno) {
    this(Libc.text(errno), errno);
  }

  KernelException(String message, int errno) {
    super(message);
    this.errno = errno;
  }

  /** The kernel's reason, 0 if it had none. */
  public int errno() {
    return errno;
  }

  /** Whether it can only be for now: no descriptor, no memory is left. */
  public boolean passes() {
    return isPassing(errno) && errno != EIO;
  }

  /** The kernel's reason for what Java tells in words only; 0 if it is none of the passing ones. */
  static int errno(IOException e) {
    String said = String.valueOf(e.getMessage());
    return PASSING.stream().filter(n -> said.endsWith(Libc.text(n))).findFirst().orElse(0);
  }

  /** Whether what was asked for cannot be done, however often it is tried. */
  public boolean isOfTheRequest() {
    return errno == 0 || ASKED.contains(errno) || isStrange(errno);
  }

  static boolean isPassing(int errno) {
    return PASSING.contains(errno);
  }

  static boolean isStrange(int errno) {
    return STRANGE.contains(errno);
  }
}
