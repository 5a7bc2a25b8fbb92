package gflow.process;

/** A short wait for the kernel. */
public final class Pause {
  private Pause() {}

  public static void millis(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
