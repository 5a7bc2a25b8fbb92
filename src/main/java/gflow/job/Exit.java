package gflow.job;

/** How a program ended: its exit code, or the signal that killed it. */
public record Exit(int code, int signal) {
  public static final Exit OK = new Exit(0, 0);

  public static Exit code(int code) {
    return new Exit(code, 0);
  }

  public static Exit signal(int signal) {
    return new Exit(0, signal);
  }

  /** From {@code $?} of a shell, which says 128+n for signal n. */
  public static Exit ofShell(int status) {
    return status > 128 && status <= 192 ? signal(status - 128) : code(status);
  }

  public boolean ok() {
    return code == 0 && signal == 0;
  }

  /** One number for scripts: the code, or 128 + the signal. */
  public int status() {
    return signal > 0 ? 128 + signal : code;
  }
}
