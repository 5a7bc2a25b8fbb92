package gflow.daemon.core;

import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * What is wrong with the machine or with us right now, a line each, for {@code gflowd status}: a
 * fault that nobody sees is never mended. For any thread.
 */
public final class Problems {
  private final SortedMap<String, String> lines = new ConcurrentSkipListMap<>();

  /** {@code about} names the thing, so that the same fault is said once. */
  public void report(String about, String line) {
    lines.put(about, line);
  }

  public void solved(String about) {
    lines.remove(about);
  }

  public List<String> lines() {
    return List.copyOf(lines.values());
  }
}
