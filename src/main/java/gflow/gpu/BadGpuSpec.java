package gflow.gpu;

/** The words for the GPUs (GFLOW_GPUS, or the config) make no sense; the message is one line. */
public final class BadGpuSpec extends Exception {
  private static final long serialVersionUID = 1L;

  BadGpuSpec(String message) {
    super(message);
  }
}
