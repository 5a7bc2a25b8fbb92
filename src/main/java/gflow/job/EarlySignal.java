package gflow.job;

import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;

/**
 * A signal that a job gets before its time is up, to save its work. {@code scriptOnly}: only the
 * script itself; otherwise its programs.
 */
public record EarlySignal(int signal, Duration before, boolean scriptOnly) {
  /** The label that keeps it. */
  public static final String LABEL = "signal";

  public Recipients recipients(Program program) {
    return (scriptOnly ? Recipients.SCRIPT : Recipients.PROGRAMS).of(program);
  }

  public EarlySignal {
    if (signal < 1 || signal > 64 || before.isNegative()) {
      throw new IllegalArgumentException("bad signal: " + signal + " " + before);
    }
  }

  public static Optional<EarlySignal> of(JobSpec spec) {
    return of(spec.labels());
  }

  private static Optional<EarlySignal> of(SortedMap<String, String> labels) {
    String text = labels.get(LABEL);
    if (text == null) {
      return Optional.empty();
    }
    boolean script = text.startsWith("B:");
    int at = text.indexOf('@');
    return Optional.of(
        new EarlySignal(
            Integer.parseInt(text.substring(script ? 2 : 0, at)),
            Duration.ofSeconds(Long.parseLong(text.substring(at + 1))),
            script));
  }

  /** As the label has it: {@code B:10@60}. */
  public String text() {
    return (scriptOnly ? "B:" : "") + signal + "@" + before.toSeconds();
  }
}
