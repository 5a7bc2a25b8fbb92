package gflow.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The processes of one step: those that carry its entry in their environment, and all below them.
 * While its parent was below us, orphans of it come to us, and one small file has them; of a step
 * that an earlier daemon saw start, the whole machine must be looked through.
 */
public final class Branch {
  private static final long SELF = ProcessHandle.current().pid();

  private final byte[] entry;
  private final boolean below;

  private Branch(String entry, boolean below) {
    this.entry = entry.getBytes(UTF_8);
    this.below = below;
  }

  /** To be made while the parent lives; {@code entry} is {@code NAME=VALUE}, of this step only. */
  public static Branch of(ProcessId parent, String entry) {
    return new Branch(entry, isBelowUs(parent.pid()));
  }

  private static boolean isBelowUs(long pid) {
    long at = pid;
    while (at > 1 && at != SELF) {
      at = Proc.stat(at).map(Proc.Stat::parent).orElse(0L);
    }
    return at == SELF;
  }

  /** Those that live though the parent is gone. */
  public Set<ProcessId> left() {
    List<Proc.Stat> candidates =
        below
            ? Children.orphans()
            : Proc.all().stream().flatMap(pid -> Proc.stat(pid).stream()).toList();
    var found = new LinkedHashSet<ProcessId>();
    for (Proc.Stat process : candidates) {
      if (!process.dead() && isMarked(process.pid())) {
        Tree.addWithDescendants(process.id(), found);
      }
    }
    return found;
  }

  private boolean isMarked(long pid) {
    return Proc.environ(pid).filter(environ -> Mark.has(environ, entry)).isPresent();
  }

  /** Kills them until none is left, or until the patience ends; true if none is left. */
  public boolean kill(Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    for (long pause = 1; ; pause = Math.min(20, pause * 2)) {
      Set<ProcessId> left = left();
      if (left.isEmpty()) {
        return true;
      }
      left.forEach(process -> Signals.send(process, Signals.KILL));
      if (System.nanoTime() > end) {
        return false;
      }
      Pause.millis(pause);
    }
  }
}
