package gflow.job;

import java.time.Duration;

/**
 * A signal that a job gets before its time is up, to save its work. {@code scriptOnly}: only the
 * script itself; otherwise its programs.
 */
public record EarlySignal(int signal, Duration before, boolean scriptOnly) {
  public Recipients recipients(Program program) {
    return (scriptOnly ? Recipients.SCRIPT : Recipients.PROGRAMS).of(program);
  }

  public EarlySignal {
    if (signal < 1 || signal > 64 || before.isNegative()) {
      throw new IllegalArgumentException("bad signal: " + signal + " " + before);
    }
  }

  /** As an option would have it, with its number: {@code B:10@60}. */
  public String text() {
    return (scriptOnly ? "B:" : "") + signal + "@" + before.toSeconds();
  }
}
