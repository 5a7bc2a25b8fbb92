package gflow.process;

/** A process did not start; nothing of it exists. */
public final class SpawnException extends KernelException {
  private static final long serialVersionUID = 1;

  SpawnException(String message, int errno) {
    super(message, errno);
  }
}
