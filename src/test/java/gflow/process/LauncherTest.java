package gflow.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a started process finds, by all that the C library has and by what older ones have. */
class LauncherTest implements Trial {
  @TempDir Path folder;

  static List<Launcher> launchers() {
    return List.of(Launcher.best(), Launcher.plain());
  }

  private String output() throws Exception {
    return Files.readString(folder.resolve("out"));
  }

  @ParameterizedTest
  @MethodSource("launchers")
  void it_runs_in_its_folder_with_its_arguments_and_its_environment_alone(Launcher launcher)
      throws Exception {
    var env = List.of("PATH=/usr/bin:/bin", "A=two words", "BASH_FUNC_module%%=() { :; }");
    // Not sh: dash drops a name like BASH_FUNC_module%%.
    var spawn =
        new Spawn(
            List.of("/usr/bin/env"),
            Trial.environment(env),
            folder.toString(),
            new Stdio.Null(),
            new Stdio.Write("env", false, 0600),
            new Stdio.Null(),
            List.of());
    Trial.run(launcher, spawn);
    assertThat(Files.readAllLines(folder.resolve("env"))).containsExactlyElementsOf(env);
    Trial.run(launcher, Trial.sh(folder, "pwd; printf '<%s>' \"$@\"", "a b", "", "ü"));
    assertThat(output()).isEqualTo(folder.toRealPath() + "\n<a b><><ü>");
  }

  @Test
  void environment_travels_byte_for_byte() throws Exception {
    byte[] block = "PATH=/bin\0X=\u00ff\u00fe\0\0B%%=\u0001".getBytes(ISO_8859_1);
    var spawn = Trial.sh(folder, "exec cat /proc/self/environ");
    Trial.run(
        new Spawn(
            List.of("/bin/cat", "/proc/self/environ"),
            block,
            spawn.folder(),
            spawn.stdin(),
            spawn.stdout(),
            spawn.stderr(),
            List.of()));
    assertThat(Files.readAllBytes(folder.resolve("out")))
        .isEqualTo("PATH=/bin\0X=\u00ff\u00fe\0B%%=\u0001\0".getBytes(ISO_8859_1));
  }

  @ParameterizedTest
  @MethodSource("launchers")
  void it_has_three_descriptors_and_none_of_ours(Launcher launcher) throws Exception {
    var lock = FileLock.tryLock(folder.resolve("lock")).orElseThrow();
    // Without O_CLOEXEC, as a careless library would leave it.
    int careless = Libc.open("/dev/null", Libc.O_RDWR, 0);
    try {
      Trial.run(launcher, Trial.sh(folder, "exec ls -m /proc/self/fd"));
    } finally {
      FileLock.close(lock);
      Libc.close(careless);
    }
    // The fourth is the folder that ls reads.
    assertThat(output().strip()).isEqualTo("0, 1, 2, 3");
  }

  @ParameterizedTest
  @MethodSource("launchers")
  void it_leads_a_session_of_its_own(Launcher launcher) throws Exception {
    Trial.run(launcher, Trial.sh(folder, "read -r l < /proc/self/stat; echo $$ $l"));
    var word = output().split(" ", -1);
    assertThat(List.of(word[5], word[6])).containsOnly(word[0]);
  }

  @Test
  void no_signal_is_blocked_or_ignored() throws Exception {
    // The child of a shell that ignores HUP would inherit that; ours must not inherit anything.
    Trial.run(Trial.sh(folder, "exec grep -E '^Sig(Blk|Ign)' /proc/self/status"));
    assertThat(output().replaceAll("\\s", ""))
        .isEqualTo("SigBlk:0000000000000000SigIgn:0000000000000000");
  }

  @ParameterizedTest
  @MethodSource("launchers")
  void output_is_cut_off_or_appended_to_as_asked(Launcher launcher) throws Exception {
    var log = folder.resolve("log");
    Files.writeString(log, "old\n");
    for (boolean append : new boolean[] {true, false, true}) {
      var base = Trial.sh(folder, "echo out; echo err >&2");
      var write = new Stdio.Write(log.toString(), append, 0600);
      Trial.run(
          launcher,
          new Spawn(
              base.argv(),
              base.environment(),
              base.folder(),
              base.stdin(),
              write,
              write,
              List.of()));
    }
    assertThat(Files.readString(log)).endsWith("out\nerr\n").doesNotContain("old");
  }

  @Test
  void input_is_read_from_a_file_and_a_new_output_has_the_mode_asked_for() throws Exception {
    Files.writeString(folder.resolve("in"), "hello");
    var base = Trial.sh(folder, "cat");
    var in = new Stdio.Read(folder.resolve("in").toString());
    Trial.run(
        new Spawn(
            base.argv(),
            base.environment(),
            base.folder(),
            in,
            base.stdout(),
            base.stderr(),
            List.of()));
    assertThat(output()).isEqualTo("hello");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("out"))))
        .isEqualTo("rw-------");
  }

  @ParameterizedTest
  @MethodSource("launchers")
  void open_files_are_passed_on_in_order_even_when_their_numbers_cross(Launcher launcher)
      throws Exception {
    var inherit = new ArrayList<Integer>();
    for (String name : List.of("one", "two", "three")) {
      Files.writeString(folder.resolve(name), name);
      int flags = Libc.O_RDONLY | Libc.O_CLOEXEC;
      inherit.add(Libc.open(folder.resolve(name).toString(), flags, 0));
    }
    // So many that our own numbers lie within those of the child and would be overwritten.
    var ours = List.copyOf(inherit);
    while (Spawn.FIRST_INHERITED + inherit.size() <= ours.getLast() + 3) {
      inherit.addFirst(ours.getFirst());
    }
    int last = Spawn.FIRST_INHERITED + inherit.size() - 1;
    var script =
        "cat <&%d; cat <&%d; cat <&%d; exec ls -v /proc/self/fd"
            .formatted(last - 2, last - 1, last);
    var base = Trial.sh(folder, "");
    Trial.run(
        launcher,
        new Spawn(
            List.of("/bin/bash", "-c", script),
            base.environment(),
            base.folder(),
            base.stdin(),
            base.stdout(),
            base.stderr(),
            inherit));
    ours.forEach(Libc::close);
    var fds = new StringBuilder("0\n1\n2\n3\n");
    IntStream.rangeClosed(Spawn.FIRST_INHERITED, last).forEach(fd -> fds.append(fd).append('\n'));
    assertThat(output()).isEqualTo("onetwothree" + fds);
  }

  @Test
  void a_lock_lives_on_in_the_child_that_inherited_it() throws Exception {
    var path = folder.resolve("gpu.lock");
    int fd = FileLock.tryLock(path).orElseThrow();
    var base = Trial.sh(folder, "exec sleep 1000");
    long pid =
        Launcher.best()
            .spawn(
                new Spawn(
                    base.argv(),
                    base.environment(),
                    base.folder(),
                    base.stdin(),
                    base.stdout(),
                    base.stderr(),
                    List.of(fd)));
    FileLock.close(fd);
    assertThat(FileLock.tryLock(path)).isEmpty();
    try (var watch = new ProcessWatch()) {
      var end = Trial.ended(watch, pid);
      Signals.send(pid, Signals.KILL);
      end.get();
    }
    var again = FileLock.tryLock(path);
    assertThat(again).isPresent();
    FileLock.close(again.getAsInt());
  }

  @Test
  void a_pipe_without_reader_as_output_does_not_make_us_wait() throws Exception {
    Fifo.make(folder.resolve("out"), 0600);
    assertThat(Trial.run(Trial.sh(folder, "exit 3")).exitCode()).hasValue(3);
  }

  @ParameterizedTest
  @MethodSource("launchers")
  void what_cannot_start_says_which_step_failed(Launcher launcher) {
    var here = folder.toString();
    var none = new Stdio.Null();
    var env = new byte[0];
    var missing = folder.resolve("missing/x").toString();
    var sh = List.of("/bin/sh", "-c", ":");
    assertThatThrownBy(
            () ->
                launcher.spawn(new Spawn(List.of(missing), env, here, none, none, none, List.of())))
        .isInstanceOf(SpawnException.class)
        .hasMessage("cannot run " + missing + ": No such file or directory");
    assertThatThrownBy(
            () -> launcher.spawn(new Spawn(sh, env, missing, none, none, none, List.of())))
        .hasMessage("cannot enter folder " + missing + ": No such file or directory");
    var write = new Stdio.Write(missing, true, 0600);
    assertThatThrownBy(() -> launcher.spawn(new Spawn(sh, env, here, none, write, none, List.of())))
        .hasMessage("cannot write " + missing + ": No such file or directory");
  }

  /** The tests have a umask of their own, which takes away more than nothing. */
  @Test
  void a_new_file_has_the_mode_that_was_asked_for_whatever_our_own_umask_is() throws Exception {
    for (String mode : List.of("rw-rw-rw-", "rw-r-----", "rw-------")) {
      var log = folder.resolve(mode);
      var base = Trial.sh(folder, "echo out");
      int bits = mode.equals("rw-rw-rw-") ? 0666 : mode.equals("rw-r-----") ? 0640 : 0600;
      var write = new Stdio.Write(log.toString(), false, bits);
      Trial.run(
          Launcher.best(),
          new Spawn(
              base.argv(),
              base.environment(),
              base.folder(),
              base.stdin(),
              write,
              write,
              List.of()));
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(log))).isEqualTo(mode);
    }
  }

  @Test
  void this_machine_has_all_that_the_best_launcher_wants() {
    assertThat(Launcher.best()).isEqualTo(new NativeLauncher(true, true));
  }
}
