package gflow.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessWatchTest implements Trial {
  @TempDir Path folder;

  @Test
  void the_end_of_a_child_has_its_code_or_its_signal() throws Exception {
    var seven = Trial.run(Trial.sh(folder, "exit 7"));
    assertThat(seven.exitCode()).hasValue(7);
    assertThat(seven.signal()).isEmpty();

    var killed = Trial.run(Trial.sh(folder, "kill -9 $$"));
    assertThat(killed.signal()).hasValue(9);
    assertThat(killed.exitCode()).isEmpty();
  }

  @Test
  void cpu_time_and_memory_are_those_of_the_whole_family() throws Exception {
    // The child of the shell, not the shell itself, fills more than we have.
    long size = OwnPeakMemory.read() / 2 * 3;
    String script = "head -c %d /dev/zero | tail -c %d | wc -c; :".formatted(size, size);
    var ended = Trial.run(Trial.sh(folder, script));
    assertThat(ended.maxRssBytes().orElseThrow()).isBetween(size, size + 50_000_000);
    assertThat(ended.cpu().orElseThrow()).isGreaterThan(Duration.ofMillis(2));
  }

  @Test
  void our_own_size_is_not_told_as_a_childs() throws Exception {
    assertThat(Trial.run(Trial.sh(folder, "exit 0")).maxRssBytes()).isEmpty();
  }

  @Test
  void a_stranger_ends_too_but_nobody_tells_us_how() throws Exception {
    // Our grandchild: its parent lives, so it is not ours to wait for.
    var spawn = Trial.sh(folder, "sleep 1000 & echo $! > pid; wait; exec sleep 1000");
    long parent = Launcher.best().spawn(spawn);
    var file = folder.resolve("pid");
    Trial.until(() -> ControlFile.number(file, "").isPresent());
    long stranger = ControlFile.number(file, "").orElseThrow();
    try (var watch = new ProcessWatch()) {
      var end = Trial.ended(watch, stranger);
      assertThat(end).isNotDone();
      Signals.send(stranger, Signals.KILL);
      assertThat(end.get(30, TimeUnit.SECONDS)).isEqualTo(ProcessEnd.unknown(stranger));

      var last = Trial.ended(watch, parent);
      Signals.send(parent, Signals.TERM);
      assertThat(last.get(30, TimeUnit.SECONDS).signal()).hasValue(Signals.TERM);
    }
  }

  @Test
  void who_is_gone_already_has_ended() throws Exception {
    try (var watch = new ProcessWatch()) {
      long pid = Launcher.best().spawn(Trial.sh(folder, "exit 5"));
      assertThat(Trial.ended(watch, pid).get(30, TimeUnit.SECONDS).exitCode()).hasValue(5);
      assertThat(Trial.ended(watch, pid).get(30, TimeUnit.SECONDS))
          .isEqualTo(ProcessEnd.unknown(pid));
    }
  }

  @Test
  void a_thread_can_wait_for_a_child_by_itself() throws Exception {
    long pid = Launcher.best().spawn(Trial.sh(folder, "sleep 0.1; exit 5"));
    assertThat(ProcessWatch.await(pid).exitCode()).hasValue(5);
    assertThat(ProcessWatch.await(pid)).isEqualTo(ProcessEnd.unknown(pid));
  }

  @Test
  void a_pid_with_another_owner_is_not_waited_for() throws Exception {
    long pid = Launcher.best().spawn(Trial.sh(folder, "exec sleep 1000"));
    try (var watch = new ProcessWatch()) {
      var earlier = new ProcessId(pid, ProcessId.of(pid).orElseThrow().startTime() - 1);
      var end = new CompletableFuture<ProcessEnd>();
      watch.watch(earlier, end::complete);
      assertThat(end.get(30, TimeUnit.SECONDS)).isEqualTo(ProcessEnd.unknown(pid));

      var own = Trial.ended(watch, pid);
      Signals.send(pid, Signals.KILL);
      assertThat(own.get(30, TimeUnit.SECONDS).signal()).hasValue(Signals.KILL);
    }
  }

  @Test
  void a_callback_that_fails_harms_no_other() throws Exception {
    try (var watch = new ProcessWatch()) {
      var ends = new ArrayList<CompletableFuture<ProcessEnd>>();
      for (int i = 0; i < 20; i++) {
        long pid = Launcher.best().spawn(Trial.sh(folder, "exit " + i));
        var end = new CompletableFuture<ProcessEnd>();
        ends.add(end);
        boolean fails = i == 3;
        watch.child(
            pid,
            ended -> {
              end.complete(ended);
              if (fails) {
                throw new IllegalStateException("expected by this test");
              }
            });
      }
      var codes = new ArrayList<Integer>();
      for (var end : ends) {
        codes.add(end.get(30, TimeUnit.SECONDS).exitCode().orElseThrow());
      }
      assertThat(codes).containsExactlyElementsOf(IntStream.range(0, 20).boxed().toList());
    }
  }
}
