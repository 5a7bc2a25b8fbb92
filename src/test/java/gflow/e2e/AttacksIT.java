package gflow.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The table of docs/security.md: another user attacks each path that we touch outside our own
 * folders. Root starts both users; elsewhere this is skipped, and says so.
 */
@ResourceLock("the temporary folder of the victim")
class AttacksIT {
  /** Who is on every Linux and has no other test. */
  private static final int VICTIM = 2;

  private static final int ATTACKER = 65533;
  private static final Path SQUATTED = Path.of("/tmp/gflow-" + VICTIM);

  @BeforeEach
  void both_users_can_run_programs() throws Exception {
    Programs.assumeUsableBy(VICTIM);
    remove(SQUATTED);
  }

  private static void remove(Path path) throws Exception {
    assertThat(new ProcessBuilder("rm", "-rf", path.toString()).start().waitFor()).isZero();
  }

  private static String attack(String line) {
    try {
      var words = new ArrayList<>(Lab.as(ATTACKER));
      words.addAll(List.of("sh", "-c", line));
      var process = new ProcessBuilder(words).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), UTF_8);
      process.waitFor();
      return said;
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Path shared(Lab lab, String mode) throws IOException {
    Path folder = Files.createTempDirectory("gflow-shared");
    lab.set("TMPDIR", folder.toString());
    return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(mode));
  }

  private static String owners(Path folder) throws IOException {
    try (var all = Files.list(folder)) {
      return all.map(f -> f.getFileName() + " " + uid(f)).collect(Collectors.joining(", "));
    }
  }

  private static int uid(Path path) {
    try {
      return (int) Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** With these FIFOs the launcher once gave away the environment, and took another one for it. */
  @Test
  void the_environment_goes_through_no_file_that_others_can_make() throws Exception {
    try (var lab = Lab.ofUser(VICTIM)) {
      lab.up();
      lab.set("GFLOW_CLIENT", "jvm");
      Path shared = shared(lab, "rwxrwxrwx");
      long next = ProcessHandle.current().pid();
      String names =
          LongStream.range(next, next + 4000)
              .mapToObj(pid -> "gflow-environ." + pid)
              .collect(Collectors.joining(" "));
      attack("cd " + shared + " && mkfifo -m 666 " + names);
      long id = lab.submit("--wrap", "env -0 | tr '\\0' '\\n' | grep SECRET_");
      lab.awaitState(id, "FAILED");
      lab.set("SECRET_KEY", "hunter2");
      long with = lab.submit("--wrap", "env -0 | tr '\\0' '\\n' | grep SECRET_");
      lab.awaitState(with, "COMPLETED");
      assertThat(lab.log(with)).isEqualTo("SECRET_KEY=hunter2\n");
      assertThat(owners(shared)).doesNotContain(" " + VICTIM);
      remove(shared);
    }
  }

  @Test
  void a_temporary_folder_that_others_made_is_neither_used_nor_changed() throws Exception {
    for (String trap : List.of("mkdir -m 777", "mkfifo", "touch", "ln -s $HOME")) {
      try (var lab = Lab.ofUser(VICTIM)) {
        Path home = lab.work();
        attack(trap.replace("$HOME", home.toString()) + " " + SQUATTED);
        String mode = PosixFilePermissions.toString(Files.getPosixFilePermissions(home));
        lab.up();
        long id = lab.submit("--wrap", "echo $TMPDIR; echo x >$TMPDIR/file");
        lab.awaitState(id, "COMPLETED");
        assertThat(lab.log(id)).as(trap).startsWith(lab.home() + "/tmp/");
        assertThat(lab.ok("gflowd", "status").out()).as(trap).contains(SQUATTED.toString());
        assertThat(uid(SQUATTED)).as(trap).isEqualTo(ATTACKER);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home)))
            .as(trap)
            .isEqualTo(mode);
      }
      remove(SQUATTED);
    }
  }

  @Test
  void a_socket_that_others_made_in_tmp_is_not_talked_to() throws Exception {
    try (var lab = Lab.ofUser(VICTIM)) {
      lab.set("GFLOW_HOME", lab.home() + "/" + "x".repeat(120));
      lab.up();
      Path socket = Path.of((String) lab.json("gflowd", "status", "--json").get("socket"));
      assertThat(socket).startsWith(SQUATTED);
      lab.ok("gflowd", "down");
      remove(SQUATTED);
      String listen =
          "import socket,sys; s=socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen();"
              + " heard=s.accept(); open(sys.argv[1]+'.heard','w').write('x')";
      attack(
          "mkdir -m 755 -p %s && cd / && (python3 -c \"%s\" %s >/dev/null 2>&1 &)"
              .formatted(socket.getParent(), listen, socket));
      lab.await("the trap", () -> Files.exists(socket));
      attack("chmod 777 " + socket);

      Lab.Said said = lab.runWith("SECRET_KEY=hunter2", "gbatch", "true");
      assertThat(said.code()).isNotZero();
      assertThat(said.err()).contains("you may not open " + socket);
      assertThat(lab.run("gflowd", "up").err()).contains("set GFLOW_HOME to a folder");
      assertThat(Path.of(socket + ".heard")).doesNotExist();
      attack("kill $(pgrep -u " + ATTACKER + " -f " + socket.getFileName() + ")");
      remove(SQUATTED);
    }
  }

  /** Everybody can read the limits of a process, by which ours are known, and set his own. */
  @Test
  void a_process_of_others_with_the_mark_of_a_job_does_not_belong_to_it() throws Exception {
    try (var lab = Lab.ofUser(VICTIM)) {
      lab.up();
      long id = lab.submit("--wrap", "while [ ! -e go ]; do sleep 0.1; done");
      lab.await("the job", () -> !Lab.processesIn(lab.work()).isEmpty());
      long pid = Lab.processesIn(lab.work()).getFirst();
      // It marks itself, as its first act.
      Path limits = Path.of("/proc/" + pid + "/limits");
      lab.await("its mark", () -> !Lab.read(limits).matches("(?s).*Max file locks +unlimited.*"));
      String limit = attack("awk '/Max file locks/ {print $4}' /proc/" + pid + "/limits").strip();
      assertThat(limit).matches("\\d{10,}");
      attack("prlimit --locks=" + limit + ": sleep 300 >/dev/null 2>&1 &");
      lab.killDaemon();
      lab.up();
      lab.write(lab.work().resolve("go"), "");
      lab.awaitState(id, "COMPLETED");
      String mine = "pgrep -u " + ATTACKER + " -x sleep";
      assertThat(attack(mine)).as("it was not killed either").isNotEmpty();
      attack("kill $(" + mine + ")");
    }
  }

  @Test
  void no_value_of_a_variable_is_seen_by_others() throws Exception {
    try (var lab = Lab.ofUser(VICTIM)) {
      lab.up();
      lab.bash("env 'db.password=hunter2' '-x=hunter3' gbatch bash -c 'env >seen; exec sleep 300'");
      Path seen = lab.work().resolve("seen");
      lab.await("the job", () -> Files.exists(seen) && Lab.read(seen).endsWith("\n"));
      assertThat(attack("cat /proc/[0-9]*/cmdline | tr '\\0' '\\n'"))
          .contains("sleep")
          .doesNotContain("hunter2", "hunter3");
      assertThat(Lab.read(seen)).contains("db.password=hunter2", "-x=hunter3");
    }
  }

  @Test
  void a_file_of_output_has_the_umask_of_who_submitted() throws Exception {
    try (var lab = Lab.ofUser(VICTIM)) {
      assertThat(lab.bash("umask 077; gflowd up").code()).isZero();
      for (String umask : List.of("022", "002", "077")) {
        long id = lab.bash("umask " + umask + "; gbatch -o out." + umask + " true").id();
        lab.awaitState(id, "COMPLETED");
      }
      assertThat(lab.bash("stat -c %a out.022 out.002 out.077").out()).isEqualTo("644\n664\n600\n");
    }
  }

  @Test
  void what_others_put_in_the_place_of_a_gpu_lock_harms_nobody() throws Exception {
    Path locks = Files.createTempDirectory("gflow-locks");
    Path keys = Files.createTempDirectory("gflow-keys");
    try {
      Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rwxr-xr-x"));
      Path key = Files.writeString(keys.resolve("key"), "secret");
      Files.setAttribute(key, "unix:mode", 0100600);
      Files.setAttribute(key, "unix:uid", VICTIM);
      Files.setAttribute(locks, "unix:mode", 041777);
      String lock = locks + "/gflow-gpu.GPU-";
      attack("ln -s " + key + " " + lock + "link; mkfifo -m 666 " + lock + "fifo");
      attack(
          "mkdir "
              + lock
              + "folder; ln "
              + key
              + " "
              + lock
              + "hard; umask 077; >"
              + lock
              + "mine");
      attack(">" + lock + "held; flock -x " + lock + "held sleep 300 >/dev/null 2>&1 &");
      for (String trap : List.of("link", "fifo", "folder", "mine")) {
        assertThat(take(locks, trap)).as(trap).isEqualTo("refused");
      }
      assertThat(take(locks, "held")).isEqualTo("in use");
      assertThat(take(locks, "free")).isEqualTo("taken");
      assertThat(attack("rm -f " + lock + "free; ls " + lock + "free")).contains(lock + "free\n");
      assertThat((int) Files.getAttribute(key, "unix:mode")).isEqualTo(0100600);
    } finally {
      attack("pkill -u " + ATTACKER + " -x sleep");
      remove(locks);
      remove(keys);
    }
  }

  private static String take(Path locks, String gpu) throws Exception {
    var words = new ArrayList<>(Lab.as(VICTIM));
    words.addAll(
        List.of(
            Path.of(System.getProperty("gflow.home", "target/gflow"), "jre/bin/java")
                .toAbsolutePath()
                .toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            Path.of("target/classes").toAbsolutePath()
                + ":"
                + Path.of("target/test-classes").toAbsolutePath(),
            "gflow.local.LocksMain",
            locks.toString(),
            "GPU-" + gpu));
    var process = new ProcessBuilder(words).redirectErrorStream(true).start();
    return new String(process.getInputStream().readAllBytes(), UTF_8).strip();
  }
}
