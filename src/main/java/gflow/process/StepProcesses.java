package gflow.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongPredicate;

/**
 * The processes of one step: those that carry its mark (an entry of the environment, or the limit
 * that its parent had when it started them), and all below them. While its parent was below us,
 * orphans of it come to us, and one small file has them; of a step that an earlier daemon saw
 * start, the whole machine must be looked through.
 */
public final class StepProcesses {
  private static final long SELF = ProcessHandle.current().pid();

  private final Optional<ProcessId> parent;
  private final OptionalLong session;
  private final byte[] entry;
  private final LongPredicate limited;
  private final boolean below;

  private StepProcesses(
      Optional<ProcessId> parent,
      OptionalLong session,
      String entry,
      LongPredicate limited,
      boolean below) {
    this.parent = parent;
    this.session = session;
    this.entry = entry.getBytes(UTF_8);
    this.limited = limited;
    this.below = below;
  }

  /** To be made while the parent lives; {@code entry} is {@code NAME=VALUE}, of this step only. */
  public static StepProcesses of(ProcessId parent, ProcessMark attempt, int step, String entry) {
    ProcessMark guests = attempt.ofGuests();
    return new StepProcesses(
        Optional.of(parent),
        OptionalLong.empty(),
        entry,
        pid -> attempt.limitIsOn(pid, step) || guests.limitIsOn(pid, step),
        isBelowUs(parent.pid()));
  }

  /**
   * Puts the step's limit on its parent. A child has the environment of its program only from its
   * exec on, and may wait a long time before that, as for the reader of a FIFO that is its output;
   * the limit it has from its birth.
   */
  public static void mark(ProcessId parent, ProcessMark attempt, int step) {
    boolean member = attempt.isOn(parent.pid());
    (member ? attempt : attempt.ofGuests()).putOn(parent.pid(), step);
  }

  /**
   * The same of a child of ours that leads its session, or of one that did and is gone: who is left
   * in that session is known by it, though its environment may be another.
   */
  public static StepProcesses ofChild(long pid, boolean gone, String entry) {
    Optional<ProcessId> parent = gone ? Optional.empty() : ProcessId.of(pid);
    return new StepProcesses(parent, OptionalLong.of(pid), entry, _ -> false, true);
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
      ProcessTree.search(this::isMarked, found);
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
              ProcessTree.addWithDescendants(living, members);
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
    return environ.filter(entries -> ProcessMark.has(entries, entry)).isPresent()
        || limited.test(process.pid());
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
    return Signals.kill(this::members, patience);
  }
}
