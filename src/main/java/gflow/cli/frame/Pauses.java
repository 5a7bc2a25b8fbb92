package gflow.cli.frame;

import java.time.Duration;

/** Waits while something is followed. */
public final class Pauses {
  private Pauses() {}

  /** False if the command shall end. */
  public static boolean sleep(Duration time) {
    try {
      Thread.sleep(time);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
