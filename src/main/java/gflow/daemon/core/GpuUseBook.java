package gflow.daemon.core;

import gflow.job.AttemptId;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What running attempts were seen to do with their GPUs. Lost with the daemon: the next one looks
 * again.
 */
public final class GpuUseBook {
  private final SortedMap<AttemptId, Seen> seen = new TreeMap<>();

  /** One look at the GPUs of an attempt. {@code excess}: what it uses beyond what it may. */
  public record Seen(Optional<String> excess) {}

  public void see(AttemptId id, Seen look) {
    seen.put(id, look);
  }

  /** What people should know of it. */
  public Optional<String> notice(AttemptId id) {
    return Optional.ofNullable(seen.get(id)).flatMap(Seen::excess);
  }

  void over(AttemptId id) {
    seen.remove(id);
  }
}
