package gflow.daemon.core;

import java.time.Instant;

/**
 * Something that is wrong with the machine or with us right now: {@code about} tells it from others
 * of its kind, and {@code remedy} says what to do, or is empty if that is to wait.
 */
public record Problem(Kind kind, String about, String text, String remedy, Instant since) {
  public enum Kind {
    /** An error of ours, contained in what met it. */
    BUG,
    /** What an operator had said cannot all be read. */
    CONTROLS,
    /** Nobody can say how the parents of waiting jobs ended. */
    DEPENDENCIES,
    /** Little is left, so nothing starts. */
    DISK,
    /** It cannot be read, or its driver hangs. */
    GPU,
    /** A file that a job writes is very large. */
    OUTPUT,
    /** An operator has said that nothing starts. */
    PAUSED,
    /** Some of a job do not die. */
    PROCESSES,
    /** One that has ended daemons is refused. */
    REQUEST,
    /** The machine keeps jobs from starting. */
    START,
    /** Nothing can be kept. */
    STORE,
    /** The folder for temporary files is somebody else's. */
    TEMPORARY,
    /** What is done without being asked was not done. */
    UPKEEP
  }

  /** All of it in one line. */
  public String line() {
    return remedy.isEmpty() ? text : text + " (" + remedy + ")";
  }
}
