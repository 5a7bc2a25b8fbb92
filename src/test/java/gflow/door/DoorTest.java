package gflow.door;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.process.Fifo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The real launcher, through the real door, at commands that tell what they see. */
@Timeout(120)
class DoorTest {
  @TempDir Path root;
  private final Parrot parrot = new Parrot();
  private Shell shell;
  private Door door;

  @BeforeEach
  void open() throws IOException {
    shell = new Shell(root);
    door = new Door(shell.door(), parrot);
  }

  @AfterEach
  void close() {
    door.close();
  }

  static Stream<String> shells() {
    return Stream.of("", "dash ", "bash ", "bash --posix ", "busybox sh ")
        .filter(shell -> shell.isEmpty() || onPath(shell.substring(0, shell.indexOf(' '))));
  }

  private static boolean onPath(String program) {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  private String out(String text) throws IOException, InterruptedException {
    var result = shell.run(text);
    assertThat(result.err()).isEmpty();
    return result.out();
  }

  @ParameterizedTest
  @MethodSource("shells")
  void arguments_arrive_as_they_were_given(String sh) throws Exception {
    assertThat(out(sh + "bin/gqueue args '' 'a  b' \"it's\" 'grün ☃' '$x\\n' 'two\nlines' -- -x"))
        .isEqualTo("gqueue [args, , a  b, it's, grün ☃, $x\\n, two\nlines, --, -x]\n");
  }

  @ParameterizedTest
  @MethodSource("shells")
  void output_errors_and_code_come_back_as_they_were_said(String sh) throws Exception {
    var result = shell.run(sh + "bin/gjob mixed");

    assertThat(result)
        .extracting(Shell.Result::code, Shell.Result::out, Shell.Result::err)
        .containsExactly(7, "one\nthree\nfour without end", "two\nfive without end");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 24, 60, 2_000, 100_000})
  void tables_of_every_size_come_whole(int count) throws Exception {
    var result = shell.run("gqueue lines " + count);

    assertThat(result.out().lines()).hasSize(count);
    assertThat(result.out().lines().skip(count - 1))
        .first()
        .asString()
        .startsWith("line " + count + " of")
        .endsWith("\\n and %s");
    assertThat(result.code()).isEqualTo(count % 100);
    assertThat(result.err()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("shells")
  void an_error_after_much_output_is_not_lost(String sh) throws Exception {
    var result = shell.run(sh + "bin/gqueue late");

    assertThat(result.out().lines()).hasSize(10_000);
    assertThat(result.err()).isEqualTo("late\nproblem\n");
    assertThat(result.code()).isEqualTo(9);
  }

  /** The fuzzer found it: such a launcher waited for ever. */
  @ParameterizedTest
  @ValueSource(strings = {"1", "rubbish", "99999999999999999999.", "x\\n\\n\\ny"})
  void rubbish_before_a_knock_does_not_swallow_it(String rubbish) throws Exception {
    assertThat(out("printf '" + rubbish + "' >\"$GFLOW_HOME/run/door/knock\"; gqueue"))
        .isEqualTo("gqueue\n");
    assertThat(out("head -c 100000 /dev/zero >\"$GFLOW_HOME/run/door/knock\"; gqueue"))
        .isEqualTo("gqueue\n");
  }

  @Test
  void arguments_that_are_no_text_keep_their_bytes() throws Exception {
    assertThat(out("gqueue args \"$(printf 'a\\377b')\" | od -An -c | tr -d ' \\n'"))
        .isEqualTo("gqueue[args,a?b]\\n");
  }

  @Test
  void every_form_of_a_name_is_the_same_command() throws Exception {
    assertThat(out("gqueue; gflow queue; gflow gqueue; gflow info"))
        .isEqualTo("gqueue\ngqueue\ngqueue\nginfo\n");
  }

  @Test
  void the_environment_arrives_byte_for_byte() throws Exception {
    String seen =
        out(
            "env -i PATH=\"$PATH\" GFLOW_HOME=\"$GFLOW_HOME\" 'BASH_FUNC_module%%=() { :\n}' "
                + "a.b=c 'EMPTY=' gqueue environment | od -An -c | tr -d ' \\n'");

    assertThat(seen).contains("BASH_FUNC_module%%=(){:\\n}\\0a.b=c\\0EMPTY=\\0");
  }

  @Test
  void folder_umask_limits_and_identity_are_the_callers() throws Exception {
    var uid = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    var gid = Files.getAttribute(Path.of("/proc/self"), "unix:gid");

    assertThat(out("mkdir 'a grün b'; cd 'a grün b'; gqueue folder"))
        .isEqualTo(root.toRealPath().resolve("a grün b") + "\n");
    assertThat(out("umask 027; gqueue umask")).isEqualTo("27\n");
    assertThat(out("ulimit -S -n 123; ulimit -S -c 0; ulimit -S -v 9000000; gqueue limits"))
        .contains("-S -n 123", "-S -v 9000000");
    assertThat(out("gqueue owner")).isEqualTo(uid + " " + gid + "\n");
    assertThat(out("TZ=Asia/Tokyo gqueue zone")).isEqualTo("Asia/Tokyo\n");
  }

  @RepeatedTest(20)
  void a_terminal_tells_its_width() throws Exception {
    assertThat(out("gqueue columns")).contains("columns=0", "stderrIsTerminal=false");
    assertThat(out("script -qec 'stty cols 117; gqueue columns' /dev/null"))
        .contains("columns=117", "stderrIsTerminal=true");
  }

  @Test
  void a_person_hears_that_the_daemon_is_not_the_version_that_is_installed() throws Exception {
    String old = "gflow: gflowd is still version 1.0; gflowd restart makes it 2.0";
    installed("2.0");
    assertThat(out("script -qec 'new/gqueue columns' /dev/null")).startsWith(old);
    assertThat(out("new/gqueue columns")).startsWith("Terminal");

    installed("1.0");
    assertThat(out("script -qec 'new/gqueue columns' /dev/null")).startsWith("Terminal");
  }

  /** A launcher as the build makes it. */
  private void installed(String version) throws IOException {
    var launcher = Files.createDirectories(root.resolve("new")).resolve("gqueue");
    String text = Files.readString(Path.of("gflow"));
    Files.writeString(launcher, text.replace("\nversion=\n", "\nversion=" + version + "\n"));
    assertThat(launcher.toFile().setExecutable(true)).isTrue();
  }

  @Test
  void input_comes_from_a_file_where_it_stands_and_from_a_pipe() throws Exception {
    Files.writeString(root.resolve("jobs"), "title\nfirst\nsecond");

    assertThat(out("{ read -r title; gbatch input; } <jobs")).isEqualTo("first\nsecond");
    assertThat(out("{ echo a; sleep 0.1; echo b; } | gbatch input")).isEqualTo("a\nb\n");
    assertThat(out("gbatch input </dev/null; gbatch input <&-")).isEmpty();
  }

  @Test
  void a_command_that_fails_harms_nobody() throws Exception {
    var result = shell.run("gqueue throw");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("internal error", "as you wish");
    assertThat(out("gqueue")).isEqualTo("gqueue\n");
  }

  @Test
  void a_reader_that_has_seen_enough_ends_the_stream() throws Exception {
    var client = shell.start("exec gqueue stream");
    while (Files.size(root.resolve("out1")) == 0) {
      Thread.onSpinWait();
    }
    client.destroyForcibly();

    assertThat(parrot.deserted.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(out("gqueue lines 100000 | head -n 2").lines()).hasSize(2);
  }

  @Test
  void the_folder_is_private_and_clean_afterwards() throws Exception {
    out("gqueue; gqueue lines 5000 >/dev/null; gqueue late >/dev/null 2>&1; gqueue throw 2>&1");

    assertThat(Files.getPosixFilePermissions(shell.door())).hasSize(3);
    try (var files = Files.list(shell.door())) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("knock", "daemon");
    }
  }

  @Test
  void two_thousand_knocks_from_eight_loops_are_all_answered() throws Exception {
    var loops = new ArrayList<Process>();
    for (int i = 0; i < 8; i++) {
      loops.add(shell.start("i=0; while [ $i -lt 250 ]; do gqueue text $i, ; i=$((i+1)); done"));
    }
    for (int i = 0; i < 8; i++) {
      var result = shell.result(loops.get(i), i + 1);
      assertThat(result.err()).isEmpty();
      assertThat(result.out().split(",")).hasSize(250).endsWith("248", "249");
    }
  }

  @Test
  void who_knocked_at_a_daemon_that_died_is_answered_by_the_next() throws Exception {
    door.close();
    int in = Fifo.open(shell.door().resolve("knock"));
    Files.writeString(
        shell.door().resolve("daemon"), ProcessHandle.current().pid() + " " + in + "\n");
    var client = shell.start("gqueue text late");
    var line = new byte[100];
    Fifo.read(in, line);
    Fifo.close(in);
    Files.createFile(shell.door().resolve("r.999999999.0"));

    door = new Door(shell.door(), parrot);

    assertThat(shell.result(client, 1).out()).isEqualTo("late");
    assertThat(shell.door().resolve("r.999999999.0")).doesNotExist();
  }

  @Test
  void an_answer_that_breaks_off_is_continued_by_the_next_daemon_for_the_same_caller()
      throws Exception {
    door.close();
    var daemon = daemon();
    var client = shell.start("exec gqueue die " + root.resolve("mark"));
    assertThat(daemon.waitFor()).isEqualTo(137);
    daemon = daemon();
    try {
      var result = shell.result(client, 1);

      assertThat(result.err()).isEmpty();
      assertThat(result.code()).isEqualTo(5);
      var keys = result.out().lines().toList();
      assertThat(keys).hasSize(2);
      assertThat(keys.getFirst()).isEqualTo(keys.getLast()).contains("-" + client.pid());
    } finally {
      daemon.destroyForcibly().waitFor();
    }
  }

  private Process daemon() throws IOException {
    var builder =
        new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            "gflow.door.Parrot",
            shell.door().toString());
    var daemon = builder.inheritIO().start();
    var announced = shell.door().resolve("daemon");
    while (!Files.exists(announced)
        || !Files.readString(announced).startsWith(daemon.pid() + " ")) {
      Thread.onSpinWait();
    }
    return daemon;
  }

  @Test
  void where_no_file_can_be_made_the_client_goes_to_the_socket_without_a_word() throws Exception {
    // As on a disk that is full or read-only.
    program("readlink", "echo 'the client starts' >&2; exit 1");

    assertThat(shell.run("mkdir \"$GFLOW_HOME/run/door/r.$$.0\"; exec bin/gqueue args").err())
        .isEqualTo(
            "the client starts\ngflow: cannot find the way from bin/gqueue to the program\n");
  }

  @Test
  void the_way_through_the_door_starts_no_program() throws Exception {
    program("mkfifo", "echo 'mkfifo is started' >&2; exit 1");
    program("rm", "echo 'rm is started' >&2; exit 1");

    assertThat(shell.run("gqueue text a").err()).isEmpty();
  }

  @Test
  void a_shell_whose_here_documents_are_files_makes_a_fifo_and_leaves_none() throws Exception {
    String old = "BASH_COMPAT=5.0 bash bin/gqueue ";
    assertThat(out("echo b | " + old + "input; " + old + "lines 300"))
        .startsWith("b\n")
        .contains("line 300 of");
    program("mkfifo", "echo 'mkfifo is started' >&2; exit 1");
    program("readlink", "echo 'the client starts' >&2; exit 1");
    assertThat(shell.run(old + "text a").err()).startsWith("the client starts");
    assertThat(shell.run("ls \"$GFLOW_HOME/run/door\"").out()).isEqualTo("daemon\nknock\n");
  }

  @Test
  void nothing_is_written_to_what_a_launcher_was_given_as_its_stdin() throws Exception {
    // One that does not listen, though there is a file as of one that does.
    program(
        "gstats",
        """
        cd "$GFLOW_HOME/run/door" && : >r.$$.0 && echo $$.0 >knock
        sleep 0.3
        cat\
        """);
    assertThat(out("echo mine | gstats")).isEqualTo("mine\n");
    assertThat(out("gstats <>file; cat file")).isEmpty();
  }

  private void program(String name, String text) throws IOException {
    Path file = root.resolve("bin/" + name);
    Files.deleteIfExists(file);
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    assertThat(file.toFile().setExecutable(true)).isTrue();
  }

  @Test
  void what_cannot_be_tidied_up_keeps_nobody_from_the_door() throws Exception {
    door.close();
    Files.createDirectories(shell.door().resolve("a.9/x"));
    door = new Door(shell.door(), parrot);

    assertThat(out("bin/gqueue args a")).contains("a");
  }
}
