package gflow.process;

import java.io.IOException;

/** A process did not start; nothing of it exists. */
public final class SpawnException extends IOException {
  private static final long serialVersionUID = 1;

  private final int errno;

  SpawnException(String message, int errno) {
    super(message);
    this.errno = errno;
  }

  /** The kernel's reason, 0 if it had none. */
  public int errno() {
    return errno;
  }
}
