package gflow.job;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The words of {@code --retry-on}: after which ends a task is tried again. */
public enum RetryOn {
  FAIL,
  OOM,
  GPU_FAULT,
  NODE,
  TIMEOUT,
  /** Nothing preempts yet. */
  PREEMPT;

  /** All of them. */
  public static final String ANY = "any";

  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** With what {@code --requeue} stands for; each once, in their order here. */
  public static List<RetryOn> requeued(List<RetryOn> on) {
    return Stream.of(values())
        .filter(each -> on.contains(each) || each == NODE || each == PREEMPT)
        .toList();
  }

  public static Optional<RetryOn> of(String word) {
    return Stream.of(values()).filter(on -> on.word().equals(word)).findFirst();
  }
}
