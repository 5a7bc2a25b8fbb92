package gflow.group;

import gflow.process.Launcher;
import gflow.process.Proc;
import gflow.process.ProcessWatch;
import gflow.process.Signals;
import gflow.process.SocketHolder;
import gflow.process.Spawn;
import gflow.process.SpawnException;
import gflow.process.Stdio;
import gflow.script.group.Condition;
import gflow.script.group.Role;
import gflow.script.value.BadInput;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.IntConsumer;

/** One role from its start to its end; its tasks are children of the {@code grun} that it is. */
final class RunningRole {
  private static final String MARK = "GFLOW_MARK";

  private final Role role;
  private final RoleWords words;
  private final long pid;
  private final Readiness readiness;
  private boolean ready;
  private OptionalInt code = OptionalInt.empty();

  private RunningRole(Role role, GroupParent.Setting setting, long pid) throws BadInput {
    this.role = role;
    this.words = new RoleWords(role, setting);
    this.pid = pid;
    Place place = place(setting, Optional.of(words.named(0).orElse(words.log(0))), true);
    this.readiness = new Readiness(role.ready(words.fields()), place, role.turn().timeout());
    look();
  }

  /** A socket counts if no process outside the job is seen to have it. */
  private static Place place(GroupParent.Setting setting, Optional<Path> log, boolean own) {
    String mark = MARK + "=" + setting.variable(MARK);
    return new Place(
        setting.folder(), log, Proc.self(), inode -> !own || SocketHolder.maybe(inode, mark));
  }

  /** {@code over} hears its code, on the thread of the watch. */
  static RunningRole start(
      Role role, GroupParent.Setting setting, ProcessWatch watch, IntConsumer over)
      throws IOException, BadInput {
    var words = new RoleWords(role, setting);
    List<Condition> sockets = new ArrayList<>(role.ready(words.fields()));
    sockets.removeIf(one -> !(one instanceof Condition.Unix || one instanceof Condition.Tcp));
    for (Condition socket : sockets) {
      if (Watch.of(socket, place(setting, Optional.empty(), false)).missing().isEmpty()) {
        throw new BadInput(socket.text() + " is taken already: somebody listens there");
      }
    }
    Files.createDirectories(words.log(0).getParent());
    link(role, words);
    Files.deleteIfExists(words.tally());
    long pid = spawn(words.words(), setting);
    var running = new RunningRole(role, setting, pid);
    watch.child(
        pid,
        end ->
            over.accept(
                end.signal().isPresent()
                    ? 128 + end.signal().getAsInt()
                    : end.exitCode().orElse(1)));
    return running;
  }

  private static long spawn(List<String> words, GroupParent.Setting setting) throws SpawnException {
    return Launcher.best()
        .spawn(
            new Spawn(
                words,
                setting.environment(),
                setting.folder(),
                new Stdio.Null(),
                new Stdio.Open(1),
                new Stdio.Open(2),
                List.of()));
  }

  /** Logs by the user's names are found by ours as well. */
  private static void link(Role role, RoleWords words) throws IOException {
    for (int task = 0; task < role.tasks().count(); task++) {
      Optional<Path> named = words.named(task);
      if (named.isPresent()) {
        try {
          Files.createSymbolicLink(words.log(task), named.get());
        } catch (FileAlreadyExistsException e) {
          // An attempt before this one has made it.
        }
      }
    }
  }

  Role role() {
    return role;
  }

  String name() {
    return role.name();
  }

  boolean isOver() {
    return code.isPresent();
  }

  int code() {
    return code.orElse(0);
  }

  boolean isReady() {
    return ready;
  }

  /** What is not there yet, if something is waited for. */
  List<String> look() {
    if (ready) {
      return List.of();
    }
    List<String> missing = readiness.missing();
    ready = missing.isEmpty();
    return missing;
  }

  boolean isLate() {
    return !ready && readiness.isLate();
  }

  long pause() {
    return readiness.pause();
  }

  void over(int itsCode) {
    code = OptionalInt.of(itsCode);
    look();
  }

  /** None of its tasks did what it was to do. */
  boolean isLost() {
    if (code() == 0 || role.tasks().count() == 1) {
      return code() != 0;
    }
    try {
      return Files.readString(words.tally()).equals("0");
    } catch (IOException e) {
      // It could not even say so.
      return true;
    }
  }

  /** The last that its first task has written. */
  String lastLine() {
    Path log = words.named(0).orElse(words.log(0));
    try {
      List<String> lines = Files.readAllLines(log);
      return lines.isEmpty() ? "" : "; the last line of its log: " + lines.getLast();
    } catch (IOException e) {
      return "; it has written nothing";
    }
  }

  void end() {
    Signals.send(pid, Signals.TERM);
  }

  /** What it has started is ended by the daemon, as of any step whose parent is gone. */
  void kill() {
    Signals.send(pid, Signals.KILL);
  }
}
