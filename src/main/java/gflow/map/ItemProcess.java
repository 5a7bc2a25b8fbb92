package gflow.map;

import gflow.process.Branch;
import gflow.process.Ended;
import gflow.process.Launcher;
import gflow.process.Signals;
import gflow.process.Spawn;
import gflow.process.SpawnException;
import gflow.process.Watch;
import java.time.Duration;
import java.util.Optional;

/**
 * A program with all that it starts. It has ended when nothing of that is left. Only one thread
 * asks it; {@code bell} is how it is told to.
 */
final class ItemProcess {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final long pid;
  private final String mark;
  private final Runnable bell;
  private boolean cleaning;

  /** How the program itself went; something that it started may be left. */
  private volatile Optional<Ended> exited = Optional.empty();

  /** What was left of it is gone. */
  private volatile boolean clean;

  private ItemProcess(long pid, String mark, Runnable bell) {
    this.pid = pid;
    this.mark = mark;
    this.bell = bell;
  }

  /** {@code mark} is an entry of its environment; {@code bell} is rung when it has ended. */
  static ItemProcess start(Launcher launcher, Watch watch, Spawn spawn, String mark, Runnable bell)
      throws SpawnException {
    var process = new ItemProcess(launcher.spawn(spawn), mark, bell);
    watch.child(process.pid, process::exited);
    return process;
  }

  private void exited(Ended how) {
    exited = Optional.of(how);
    bell.run();
  }

  /** The program itself is gone. */
  boolean hasExited() {
    return exited.isPresent();
  }

  /** Empty also while what it left behind is being killed. */
  Optional<Ended> ended() {
    if (exited.isPresent() && !cleaning && !anythingLeft()) {
      return exited;
    }
    if (exited.isPresent() && !cleaning) {
      cleaning = true;
      Thread.ofVirtual().start(this::cleanUp);
    }
    return clean ? exited : Optional.empty();
  }

  private boolean anythingLeft() {
    return Signals.sendGroup(pid, 0) || !branch().left().isEmpty();
  }

  private void cleanUp() {
    branch().kill(PATIENCE);
    clean = true;
    bell.run();
  }

  private Branch branch() {
    return Branch.ofChild(pid, exited.isPresent(), mark);
  }

  /** Asks all of it to end; itself first, or a script would go on to its next line. */
  void term() {
    if (exited.isEmpty()) {
      var members = branch().members();
      Signals.send(pid, Signals.TERM);
      members.forEach(one -> Signals.send(one, Signals.TERM));
    }
  }

  void kill() {
    if (exited.isEmpty()) {
      Signals.send(pid, Signals.KILL);
      Branch all = branch();
      Thread.ofVirtual().start(() -> all.kill(PATIENCE));
    }
  }
}
