package gflow.process;

import java.util.Optional;

/**
 * Starts processes: each in a session of its own, with default signals, nothing blocked, and no
 * descriptor of ours but those that it shall have.
 */
public interface Launcher {
  /**
   * Starts it and returns its pid; it is a child of this process, and {@link ProcessWatch} reaps
   * it.
   */
  default long spawn(Spawn spawn) throws SpawnException {
    return spawn(spawn, Optional.empty());
  }

  /** The same with the mark on it from the first moment. */
  default long spawn(Spawn spawn, ProcessMark mark) throws SpawnException {
    return spawn(spawn, Optional.of(mark));
  }

  long spawn(Spawn spawn, Optional<ProcessMark> mark) throws SpawnException;

  String name();

  /** Whether {@link Spawn#inherit} works. */
  boolean inherits();

  /** The native one where the C library has what it needs (glibc 2.34), else the builder. */
  static Launcher best() {
    return NativeLauncher.works() ? new NativeLauncher() : new BuilderLauncher();
  }

  /** By name, for tests and for machines where the native one misbehaves. */
  static Launcher forced(String name) {
    return switch (name) {
      case "ffm" -> new NativeLauncher();
      case "builder" -> new BuilderLauncher();
      default ->
          throw new IllegalArgumentException(
              "no launcher '" + name + "': known are ffm and builder");
    };
  }
}
