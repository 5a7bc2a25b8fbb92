package gflow.group;

import gflow.script.group.Condition;
import gflow.script.value.BadInput;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Several things that are waited for, each until it was seen once. Nothing tells of a stranger's
 * socket or file, so it is looked again and again, ever less often.
 */
public final class Readiness {
  private static final long FIRST = 50;
  private static final long LAST = 500;

  private final List<Watch> left = new ArrayList<>();
  private final long start = System.nanoTime();
  private final Duration timeout;
  private long pause = FIRST;

  public Readiness(List<Condition> conditions, Place place, Duration timeout) {
    conditions.forEach(condition -> left.add(Watch.of(condition, place)));
    this.timeout = timeout;
  }

  /** A socket counts whoever has it. */
  public static Place place(String folder, Optional<Path> log, long pid) {
    return new Place(folder, log, pid, _ -> true);
  }

  /** Sockets of other machines cannot be seen. */
  public static void check(Condition condition) throws BadInput {
    if (condition instanceof Condition.Tcp(var host, _)
        && host.isPresent()
        && !Watch.isHere(host.get())) {
      throw new BadInput(
          condition.text()
              + ": only sockets of this machine can be seen, and "
              + host.get()
              + " is none of its names");
    }
  }

  /** What is not there; nothing once all was seen. */
  public List<String> missing() {
    var missing = new ArrayList<String>();
    left.removeIf(watch -> watch.missing().map(missing::add).isEmpty());
    return missing;
  }

  public boolean isLate() {
    return System.nanoTime() - start >= timeout.toNanos();
  }

  /** For how long nobody looks, in milliseconds. */
  public long pause() {
    long now = pause;
    pause = Math.min(LAST, pause * 3 / 2);
    long left = (timeout.toNanos() - (System.nanoTime() - start)) / 1_000_000;
    return Math.clamp(left, 1, now);
  }
}
