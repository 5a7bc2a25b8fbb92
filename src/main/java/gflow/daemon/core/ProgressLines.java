package gflow.daemon.core;

import gflow.job.AttemptId;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** How far running attempts say they are. Lost with the daemon: who has said it says it again. */
public final class ProgressLines {
  private static final int LONGEST = 200;

  private final SortedMap<AttemptId, String> lines = new TreeMap<>();

  public void say(AttemptId id, String text) throws Refusal {
    if (text.codePointCount(0, text.length()) > LONGEST) {
      throw new Refusal("progress is one line of at most " + LONGEST + " characters");
    }
    if (text.codePoints().anyMatch(Character::isISOControl)) {
      throw new Refusal("progress is one line without control characters");
    }
    lines.put(id, text);
  }

  public Optional<String> of(AttemptId id) {
    return Optional.ofNullable(lines.get(id)).filter(line -> !line.isEmpty());
  }

  void over(AttemptId id) {
    lines.remove(id);
  }
}
