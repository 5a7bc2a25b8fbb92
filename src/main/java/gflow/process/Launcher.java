package gflow.process;

/**
 * Starts processes: each in a session of its own, with default signals, nothing blocked, and no
 * descriptor of ours but those that it shall have.
 */
public interface Launcher {
  /**
   * Starts it and returns its pid; it is a child of this process, and {@link ProcessWatch} reaps
   * it.
   */
  long spawn(Spawn spawn) throws SpawnException;

  /** By all that the C library has. */
  static Launcher best() {
    return new NativeLauncher(SpawnActions.CAN_ENTER_FOLDERS, SpawnActions.CAN_CLOSE_THE_REST);
  }

  /** Only by what glibc 2.26 has: for tests, and for machines where the other one misbehaves. */
  static Launcher plain() {
    return new NativeLauncher(false, false);
  }
}
