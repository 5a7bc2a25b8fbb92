package gflow.map;

import gflow.process.Branch;
import gflow.process.Ended;
import gflow.process.Launcher;
import gflow.process.ProcessId;
import gflow.process.Signals;
import gflow.process.Spawn;
import gflow.process.SpawnException;
import gflow.process.Watch;
import java.time.Duration;
import java.util.Optional;

/** A program with all that it starts. It has ended when nothing of that is left. */
final class ItemProcess {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final long pid;
  private final Optional<Branch> branch;
  private final Runnable bell;
  private volatile Optional<Ended> ended = Optional.empty();

  private ItemProcess(long pid, String mark, Runnable bell) {
    this.pid = pid;
    this.bell = bell;
    // One that is gone already is still ours, as a zombie.
    branch = ProcessId.of(pid).map(process -> Branch.of(process, mark));
  }

  /** {@code mark} is an entry of its environment; {@code bell} is rung when it has ended. */
  static ItemProcess start(Launcher launcher, Watch watch, Spawn spawn, String mark, Runnable bell)
      throws SpawnException {
    var process = new ItemProcess(launcher.spawn(spawn), mark, bell);
    watch.watch(process.pid, process::exited);
    return process;
  }

  private void exited(Ended how) {
    if (anythingLeft()) {
      Thread.ofVirtual()
          .start(
              () -> {
                branch.ifPresent(all -> all.kill(PATIENCE));
                over(how);
              });
    } else {
      over(how);
    }
  }

  private boolean anythingLeft() {
    return Signals.sendGroup(pid, 0) || branch.filter(all -> !all.left().isEmpty()).isPresent();
  }

  private void over(Ended how) {
    ended = Optional.of(how);
    bell.run();
  }

  Optional<Ended> ended() {
    return ended;
  }

  /** Asks all of it to end. */
  void term() {
    branch.ifPresent(all -> all.members().forEach(one -> Signals.send(one, Signals.TERM)));
    Signals.send(pid, Signals.TERM);
  }

  void kill() {
    Signals.send(pid, Signals.KILL);
    Thread.ofVirtual().start(() -> branch.ifPresent(all -> all.kill(PATIENCE)));
  }
}
