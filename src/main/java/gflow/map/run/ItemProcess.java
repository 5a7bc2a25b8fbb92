package gflow.map.run;

import gflow.process.Launcher;
import gflow.process.ProcessEnd;
import gflow.process.ProcessId;
import gflow.process.ProcessWatch;
import gflow.process.Signals;
import gflow.process.Spawn;
import gflow.process.SpawnException;
import gflow.process.StepProcesses;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * A program with all that it starts. It has ended when nothing of that is left. Only one thread
 * waits for it, or asks it; {@code bell} is how that one is told to.
 */
final class ItemProcess {
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration AGAIN = Duration.ofMillis(100);

  private final long pid;
  private final String mark;
  private final Runnable bell;
  private boolean cleaning;

  /** How the program itself went; something that it started may be left. */
  private volatile Optional<ProcessEnd> exited = Optional.empty();

  /** What was left of it is gone. */
  private volatile boolean clean;

  private ItemProcess(long pid, String mark, Runnable bell) {
    this.pid = pid;
    this.mark = mark;
    this.bell = bell;
  }

  /** {@code mark} is an entry of its environment; {@code bell} is rung when it has ended. */
  static ItemProcess start(
      Launcher launcher, ProcessWatch watch, Spawn spawn, String mark, Runnable bell)
      throws SpawnException {
    var process = new ItemProcess(launcher.spawn(spawn), mark, bell);
    watch.child(process.pid, process::exited);
    return process;
  }

  /** One that nobody watches: somebody will {@link #await} it. */
  static ItemProcess start(Launcher launcher, Spawn spawn, String mark) throws SpawnException {
    return new ItemProcess(launcher.spawn(spawn), mark, () -> {});
  }

  /** Until nothing of it is left. */
  ProcessEnd await() {
    ProcessEnd how = ProcessWatch.await(pid);
    exited = Optional.of(how);
    if (anythingLeft()) {
      cleanUp();
    }
    return how;
  }

  private void exited(ProcessEnd how) {
    exited = Optional.of(how);
    bell.run();
  }

  /** Empty also while what it left behind is being killed. */
  Optional<ProcessEnd> ended() {
    if (exited.isPresent() && !cleaning && !anythingLeft()) {
      return exited;
    }
    if (exited.isPresent() && !cleaning) {
      cleaning = true;
      Thread.ofVirtual().start(this::cleanUp);
    }
    return clean ? exited : Optional.empty();
  }

  /** Also if nobody can look just now: then it is looked for elsewhere, until somebody can. */
  private boolean anythingLeft() {
    try {
      return Signals.sendGroup(pid, 0) || !branch().left().isEmpty();
    } catch (UncheckedIOException e) {
      return true;
    }
  }

  private void cleanUp() {
    while (!killed()) {
      LockSupport.parkNanos(AGAIN.toNanos());
    }
    clean = true;
    bell.run();
  }

  /** False if nobody could look. */
  private boolean killed() {
    try {
      branch().kill(PATIENCE);
      return true;
    } catch (UncheckedIOException e) {
      return false;
    }
  }

  private StepProcesses branch() {
    return StepProcesses.ofChild(pid, exited.isPresent(), mark);
  }

  /** Asks all of it to end; itself first, or a script would go on to its next line. */
  void term() {
    if (exited.isEmpty()) {
      Set<ProcessId> members = members();
      Signals.send(pid, Signals.TERM);
      members.forEach(one -> Signals.send(one, Signals.TERM));
    }
  }

  private Set<ProcessId> members() {
    try {
      return branch().members();
    } catch (UncheckedIOException e) {
      // What is not found now is killed at the end.
      return Set.of();
    }
  }

  void kill() {
    if (exited.isEmpty()) {
      Signals.send(pid, Signals.KILL);
      Thread.ofVirtual().start(this::killed);
    }
  }
}
