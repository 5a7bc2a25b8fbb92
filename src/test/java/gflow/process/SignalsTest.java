package gflow.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SignalsTest implements Trial {
  @TempDir Path folder;

  private long sleeper() throws SpawnException {
    return Launcher.best().spawn(Trial.sh(folder, "exec sleep 1000"));
  }

  private static ProcessEnd kill(long pid) throws Exception {
    try (var watch = new ProcessWatch()) {
      var end = Trial.ended(watch, pid);
      Signals.send(pid, Signals.KILL);
      return end.get();
    }
  }

  @Test
  void another_owner_of_the_pid_is_not_hit() throws Exception {
    long pid = sleeper();
    var now = ProcessId.of(pid).orElseThrow();
    var before = new ProcessId(pid, now.startTime() - 1);

    assertThat(Signals.send(before, Signals.KILL)).isFalse();
    assertThat(before.alive()).isFalse();
    assertThat(now.alive()).isTrue();
    assertThat(Signals.send(now, Signals.TERM)).isTrue();
    assertThat(kill(pid).signal()).hasValue(Signals.TERM);
  }

  @Test
  void a_recycled_pid_is_not_hit() throws Exception {
    long first = sleeper();
    var gone = ProcessId.of(first).orElseThrow();
    kill(first);
    Pause.millis(20); // The start time has a resolution of 10 ms.
    for (int turn = 0; turn < 50; turn++) {
      try {
        Files.writeString(Path.of("/proc/sys/kernel/ns_last_pid"), "" + (first - 1));
      } catch (IOException e) {
        abort("only root can choose the next pid: " + e.getMessage());
      }
      long second = sleeper();
      boolean same = second == first;
      boolean hit = same && Signals.send(gone, Signals.KILL);
      boolean alive = gone.alive();
      assertThat(kill(second).signal()).hasValue(Signals.KILL);
      assertThat(hit || alive).isFalse();
      if (same) {
        return;
      }
    }
    abort("the machine is too busy to get one pid twice");
  }

  @Test
  void a_zombie_is_not_alive_and_gets_nothing() throws Exception {
    long pid = Launcher.best().spawn(Trial.sh(folder, "exit 0"));
    Trial.until(() -> Proc.stat(pid).orElseThrow().state() == 'Z');
    var zombie = ProcessId.of(pid).orElseThrow();
    assertThat(zombie.alive()).isFalse();
    assertThat(Signals.send(zombie, Signals.TERM)).isFalse();
    kill(pid);
    assertThat(ProcessId.of(pid)).isEmpty();
  }

  @Test
  void a_group_is_reached_whole_and_the_dangerous_numbers_reach_nobody() throws Exception {
    long pid = Launcher.best().spawn(Trial.sh(folder, "sleep 1000 & echo go > ready; wait"));
    Trial.until(() -> Files.exists(folder.resolve("ready")));
    long child = Proc.children(pid).getFirst();
    assertThat(Signals.send(0, Signals.TERM)).isFalse();
    assertThat(Signals.send(-1, Signals.TERM)).isFalse();
    assertThat(Signals.sendGroup(1, Signals.TERM)).isFalse();
    assertThat(Signals.sendGroup(pid, Signals.KILL)).isTrue();
    kill(pid);
    Trial.until(() -> Proc.stat(child).isEmpty() || Proc.stat(child).get().dead());
  }
}
