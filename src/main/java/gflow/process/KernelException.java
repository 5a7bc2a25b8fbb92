package gflow.process;

import java.io.IOException;
import java.util.Set;

/** The kernel did not do what it was asked for, with its reason. */
public class KernelException extends IOException {
  private static final long serialVersionUID = 1;

  /** EINTR, EAGAIN, ENOMEM, ENFILE, EMFILE: something is used up, and will be free again. */
  private static final Set<Integer> USED_UP = Set.of(4, 11, 12, 23, 24);

  /** EIO, ENOSPC, and what is used up: it says nothing of what was asked for. */
  private static final Set<Integer> PASSING = Set.of(4, 5, 11, 12, 23, 24, 28);

  /** EPERM, ENXIO, EACCES, ENODEV, ENOTDIR, EISDIR, ELOOP: what is there is not what should be. */
  private static final Set<Integer> STRANGE = Set.of(1, 6, 13, 19, 20, 21, 40);

  /** ENOENT, E2BIG, ENOEXEC, EINVAL, ETXTBSY, EROFS, ENAMETOOLONG, and the strange ones. */
  private static final Set<Integer> ASKED = Set.of(2, 7, 8, 22, 26, 30, 36);

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
    return isUsedUp(errno);
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

  static boolean isUsedUp(int errno) {
    return USED_UP.contains(errno);
  }

  static boolean isPassing(int errno) {
    return PASSING.contains(errno);
  }

  static boolean isStrange(int errno) {
    return STRANGE.contains(errno);
  }
}
