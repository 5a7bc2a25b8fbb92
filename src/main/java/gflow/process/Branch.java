package gflow.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The processes of one step: those that carry its entry in their environment, and all below them.
 * While its parent was below us, orphans of it come to us, and one small file has them; of a step
 * that an earlier daemon saw start, the whole machine must be looked through.
 */
public final class Branch {
  private static final long SELF = ProcessHandle.current().pid();

  private final Optional<ProcessId> parent;
  private final OptionalLong session;
  private final byte[] entry;
  private final boolean below;

  private Branch(Optional<ProcessId> parent, OptionalLong session, String entry, boolean below) {
    this.parent = parent;
    this.session = session;
    this.entry = entry.getBytes(UTF_8);
    this.below = below;
  }

  /** To be made while the parent lives; {@code entry} is {@code NAME=VALUE}, of this step only. */
  public static Branch of(ProcessId parent, String entry) {
    return new Branch(Optional.of(parent), OptionalLong.empty(), entry, isBelowUs(parent.pid()));
  }

  /**
   * The same of a child of ours that leads its session, or of one that did and is gone: who is left
   * in that session is known by it, though its environment may be another.
   */
  public static Branch ofChild(long pid, boolean gone, String entry) {
    Optional<ProcessId> parent = gone ? Optional.empty() : ProcessId.of(pid);
    return new Branch(parent, OptionalLong.of(pid), entry, true);
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
    var found = new LinkedHashSet<ProcessId>();
    if (below) {
      Children.addOrphans(one -> isInSession(one) || isMarked(one), found);
    } else {
      Tree.search(this::isMarked, found);
    }
    return found;
  }

  /** All that live, without the parent itself. */
  public Set<ProcessId> members() {
    Set<ProcessId> members = left();
    parent
        .filter(ProcessId::alive)
        .ifPresent(
            living -> {
              Tree.addWithDescendants(living, members);
              members.remove(living);
            });
    return members;
  }

  /** No other session has this number as long as somebody is in it. */
  private boolean isInSession(Proc.Stat process) {
    return session.isPresent() && session.getAsLong() == process.session();
  }

  private boolean isMarked(Proc.Stat process) {
    var environ = Proc.environ(process.pid());
    for (int again = 0; again < 3 && isInExec(process, environ); again++) {
      Pause.millis(1);
      environ = Proc.environ(process.pid());
    }
    return environ.filter(entries -> Mark.has(entries, entry)).isPresent();
  }

  /**
   * For a moment in the middle of exec a process shows an empty environment; so do threads of the
   * kernel, always, but they have no session.
   */
  private static boolean isInExec(Proc.Stat process, Optional<byte[]> environ) {
    return environ.filter(entries -> entries.length == 0).isPresent() && process.session() != 0;
  }

  /** Kills them until none is left, or until the patience ends; true if none is left. */
  public boolean kill(Duration patience) {
    long end = System.nanoTime() + patience.toNanos();
    for (long pause = 1; ; pause = Math.min(20, pause * 2)) {
      Set<ProcessId> left = members();
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
