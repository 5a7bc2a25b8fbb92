package gflow.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcTest implements Trial {
  private static final long SELF = ProcessHandle.current().pid();

  @TempDir Path folder;

  @Test
  void a_name_may_hold_spaces_and_parentheses() {
    var stat =
        Proc.Stat.parse(
            "42 (a) R 1 (b c) S 7 8 9 0 -1 4194304 100 0 0 0 0 0 0 0 20 0 3 0 157754 3133440 412");
    assertThat(stat).isEqualTo(new Proc.Stat(42, "a) R 1 (b c", 'S', 7, 8, 9, 3, 157754));
  }

  @Test
  void a_main_thread_that_ended_before_the_others_is_not_dead() {
    var zombie = new Proc.Stat(1, "x", 'Z', 1, 1, 1, 1, 1);
    var leaderOnly = new Proc.Stat(1, "x", 'Z', 1, 1, 1, 4, 1);
    assertThat(zombie.dead()).isTrue();
    assertThat(leaderOnly.dead()).isFalse();
  }

  @Test
  void status_and_limits_are_read_as_the_kernel_writes_them() {
    var status =
        Proc.Status.parse(
            """
            Name:	a
            Umask:	0027
            Uid:	1000	0	1000	1000
            Gid:	4294967294	5	5	5
            Groups:	4 27\s
            """);
    assertThat(status).isEqualTo(new Proc.Status(1000, 0, -2, List.of(4, 27), 027));
    assertThat(
            Proc.Limit.parse(
                """
                Limit                     Soft Limit           Hard Limit           Units    \s
                Max cpu time              unlimited            unlimited            seconds  \s
                Max open files            1024                 524288               files    \s
                """))
        .containsExactly(
            new Proc.Limit("Max cpu time", OptionalLong.empty(), OptionalLong.empty()),
            new Proc.Limit("Max open files", OptionalLong.of(1024), OptionalLong.of(524288)));
  }

  @Test
  void this_process_is_seen_as_it_is() {
    assertThat(Proc.self()).isEqualTo(ProcessHandle.current().pid());
    assertThat(Proc.all()).contains(SELF);
    assertThat(Proc.stat(SELF).orElseThrow().threads()).isGreaterThan(3);
    assertThat(Proc.limits(SELF)).extracting(Proc.Limit::name).contains("Max file locks");
    assertThat(Proc.bootId()).matches("[0-9a-f-]{36}");
    assertThat(Proc.stat(-5)).isEmpty();
  }

  @Test
  void a_caller_is_seen_through_proc_byte_for_byte() throws Exception {
    var odd = Files.createDirectory(folder.resolve("a (b"));
    var env = List.of("PATH=/usr/bin:/bin", "GREETING=grüß dich");
    var script = "umask 027; mkfifo gate; echo > ready; read l < gate";
    long pid = Launcher.best().spawn(Trial.sh(odd, env, script, "x y", ""));
    Trial.until(() -> Files.exists(odd.resolve("ready")));
    try (var watch = new ProcessWatch()) {
      var end = Trial.ended(watch, pid);
      assertThat(Proc.status(pid).orElseThrow().umask()).isEqualTo(027);
      assertThat(Proc.environ(pid)).hasValue(Trial.environment(env));
      assertThat(Proc.cmdline(pid).stream().map(word -> new String(word, UTF_8)))
          .containsExactly("/bin/sh", "-c", script, "sh", "x y", "");
      assertThat(Proc.children(SELF)).contains(pid);
      assertThat(Proc.childrenByScan(SELF)).contains(pid);
      int gate = Fifo.open(odd.resolve("gate"));
      Fifo.write(gate, new byte[] {'\n'});
      assertThat(end.get().exitCode()).hasValue(0);
      Fifo.close(gate);
    }
    assertThat(Proc.cmdline(pid)).isEmpty();
  }
}
