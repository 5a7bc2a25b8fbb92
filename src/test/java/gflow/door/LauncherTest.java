package gflow.door;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The launcher without a daemon, in an installed folder whose java only says how it was called. */
@Timeout(120)
class LauncherTest {
  private static final Instant BEFORE = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir Path root;
  private Path home;
  private Shell shell;

  @BeforeEach
  void install() throws IOException {
    shell = new Shell(root);
    home = root.resolve("installed here");
    program(home.resolve("bin/gflow"), Files.readString(Path.of("gflow")));
    program(home.resolve("jre/bin/java"), "#!/bin/sh\nprintf '%s\\n' \"$@\" \"LC_ALL=$LC_ALL\"\n");
    for (String name : new String[] {"lib/gflow.jar", "lib/other.jar", "jre/lib/modules"}) {
      file(home.resolve(name), "");
    }
    file(home.resolve("jre/release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"25.0.3\"\n");
    for (String name : new String[] {"aot/cli.aot", "aot/map.aot", "aot/gflowd.aot"}) {
      file(home.resolve(name), "");
      Files.setLastModifiedTime(home.resolve(name), FileTime.from(BEFORE.plusSeconds(2)));
    }
    Files.createSymbolicLink(root.resolve("gq"), home.resolve("bin/gflow"));
    Files.createSymbolicLink(home.resolve("bin/gqueue"), Path.of("gflow"));
    Files.createSymbolicLink(home.resolve("bin/gflowd"), Path.of("gflow"));
  }

  private static void file(Path path, String text) throws IOException {
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
    Files.setLastModifiedTime(path, FileTime.from(BEFORE));
  }

  private static void program(Path path, String text) throws IOException {
    file(path, text);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private String out(String text) throws IOException, InterruptedException {
    var result = shell.run("PATH='" + home + "/bin':$PATH; " + text);
    assertThat(result.err()).isEmpty();
    assertThat(result.code()).isZero();
    return result.out();
  }

  @Test
  void a_fresh_cache_is_used_and_client_and_daemon_have_their_own() throws Exception {
    assertThat(out("gqueue")).contains("-XX:AOTCache=" + home + "/aot/cli.aot\n");
    assertThat(out("gflow gmap --run-folder f"))
        .contains("-XX:AOTCache=" + home + "/aot/map.aot\n");
    assertThat(out("gflowd")).contains("-XX:AOTCache=" + home + "/aot/gflowd.aot\n");
    assertThat(out("gflowd up")).contains("-XX:AOTCache=" + home + "/aot/cli.aot\n");
  }

  @Test
  void a_cache_that_is_older_than_a_jar_or_the_run_time_is_not_used() throws Exception {
    for (String name : new String[] {"lib/gflow.jar", "lib/other.jar", "jre/lib/modules"}) {
      var part = home.resolve(name);
      Files.setLastModifiedTime(part, FileTime.from(BEFORE.plusSeconds(2)));
      assertThat(out("gqueue")).as(name).doesNotContain("AOTCache").contains("-Xshare:auto");
      Files.setLastModifiedTime(part, FileTime.from(BEFORE));
    }
    assertThat(out("gqueue")).contains("AOTCache");
  }

  @Test
  void a_cache_that_is_missing_or_of_another_run_time_is_not_used() throws Exception {
    Files.delete(home.resolve("aot/gflowd.aot"));
    assertThat(out("gflowd --foreground")).doesNotContain("AOTCache");

    Files.move(home.resolve("jre"), root.resolve("jdk"));
    assertThat(out("GFLOW_JAVA='" + root + "/jdk' gqueue"))
        .doesNotContain("AOTCache")
        .contains("gflow.Main\ngqueue\n");
  }

  @Test
  void a_run_time_that_is_too_old_is_passed_over() throws Exception {
    Files.move(home.resolve("jre"), root.resolve("jdk"));
    program(root.resolve("old/bin/java"), "#!/bin/sh\necho old\n");
    file(root.resolve("old/release"), "JAVA_VERSION=\"17.0.15\"\n");

    assertThat(out("GFLOW_JAVA='" + root + "/old' JAVA_HOME='" + root + "/jdk' gqueue"))
        .contains("gflow.Main");
  }

  @Test
  void links_are_followed_and_words_go_through_unchanged() throws Exception {
    assertThat(out("ln -s gq gqueue; ./gqueue 'a b' '' 'c\nd'"))
        .contains("-cp\n" + home + "/lib/gflow.jar\n")
        .contains("gflow.Main\ngqueue\na b\n\nc\nd\n");
  }

  @Test
  void no_foreign_java_options_reach_the_program_and_it_knows_every_letter() throws Exception {
    program(home.resolve("jre/bin/java"), "#!/bin/sh\nenv\n");

    assertThat(out("LC_ALL=C JAVA_TOOL_OPTIONS=-Dx JDK_JAVA_OPTIONS=-Dy gqueue"))
        .doesNotContain("-Dx", "-Dy")
        .contains("\nLC_ALL=C.UTF-8\n", "GFLOW_LC_ALL=C\n");
  }

  @Test
  void a_submission_keeps_a_copy_of_the_environment_as_it_was() throws Exception {
    program(home.resolve("jre/bin/java"), "#!/bin/sh\ncat <&\"$GFLOW_ENVIRON\"\n");
    Files.createSymbolicLink(home.resolve("bin/gbatch"), Path.of("gflow"));

    assertThat(out("env 'BASH_FUNC_module%%=() { :\n}' JAVA_TOOL_OPTIONS=-Dx LC_ALL=C gbatch x"))
        .contains("\0LC_ALL=C\0")
        .contains("JAVA_TOOL_OPTIONS=-Dx\0")
        .contains("BASH_FUNC_module%%=() { :\n}\0");
    assertThat(shell.door()).as("it has no name any more").isEmptyDirectory();
  }

  @Test
  void what_others_may_have_put_is_never_read_as_the_environment() throws Exception {
    program(home.resolve("jre/bin/java"), "#!/bin/sh\necho \"copy ${GFLOW_ENVIRON-none}\"\n");
    Files.createSymbolicLink(home.resolve("bin/gbatch"), Path.of("gflow"));

    assertThat(out("GFLOW_ENVIRON=/etc/passwd gbatch x")).isEqualTo("copy 7\n");
    Files.setPosixFilePermissions(shell.door(), PosixFilePermissions.fromString("rwxrwx---"));
    assertThat(out("GFLOW_ENVIRON=/etc/passwd gbatch x")).isEqualTo("copy none\n");
    Files.delete(shell.door());
    Files.createSymbolicLink(shell.door(), Path.of("/tmp"));
    assertThat(out("GFLOW_ENVIRON=/etc/passwd gbatch x")).isEqualTo("copy none\n");
  }

  @Test
  void nothing_in_the_temporary_folder_is_opened() throws Exception {
    Files.createSymbolicLink(home.resolve("bin/gbatch"), Path.of("gflow"));
    Path shared = Files.createDirectory(root.resolve("shared"));
    // The shell that runs the command execs it, so the name that was once used is known.
    assertThat(
            out(
                "cd '"
                    + shared
                    + "' && TMPDIR=$PWD sh -c 'mkfifo gflow-environ.$$ gflow-hold.$$; exec gbatch"
                    + " x'"))
        .contains("gflow.Main\ngbatch\nx\n");
  }

  @Test
  void the_environment_of_other_commands_is_restored_by_the_program() {
    var changed = "A=1\0GFLOW_LC_ALL=de\0LC_ALL=C.UTF-8\0GFLOW_COLUMNS=80\0B=2\0";

    assertThat(new String(OwnCall.restored(changed.getBytes(ISO_8859_1)), ISO_8859_1))
        .isEqualTo("A=1\0LC_ALL=de\0B=2\0");
  }

  @Test
  void a_stale_note_of_a_daemon_is_no_door() throws Exception {
    Files.createDirectories(shell.door());
    Files.writeString(shell.door().resolve("knock"), "");
    Files.writeString(shell.door().resolve("daemon"), ProcessHandle.current().pid() + " 0\n");

    assertThat(out("gqueue")).contains("gflow.Main\ngqueue\n");
  }

  /** A daemon that is announced, and ends with the codes of a file, one after the other. */
  private Shell.Result guard(String codes) throws Exception {
    file(root.resolve("codes"), codes);
    Files.createDirectories(shell.door());
    program(root.resolve("bin/sleep"), "#!/bin/sh\n");
    program(
        home.resolve("jre/bin/java"),
        """
        #!/bin/sh
        read -r code rest <codes
        echo $rest >codes
        echo $$ 0 >"$GFLOW_HOME/run/door/daemon"
        exit $code
        """);
    return shell.run("exec '" + home + "/bin/gflowd' guard");
  }

  @Test
  void the_guard_starts_the_next_daemon_whatever_the_last_one_died_of() throws Exception {
    var result = guard("70 1 3 134 137 139 255 2 0");

    assertThat(result.code()).isZero();
    assertThat(result.err().lines())
        .extracting(line -> line.replaceAll(".*ended with code (\\d+),.*", "$1"))
        .containsExactly("70", "1", "3", "134", "137", "139", "255", "2");
  }

  @Test
  void the_guard_leaves_one_alone_that_was_told_to_end_or_found_another_there() throws Exception {
    for (int code : new int[] {0, 75, 129, 130, 143}) {
      var result = guard("70 " + code + " 70");
      assertThat(result.code()).isEqualTo(code);
      assertThat(result.err().lines()).hasSize(1);
    }
  }

  @Test
  void a_home_that_is_not_absolute_is_refused_in_one_line() throws Exception {
    var result = shell.run("PATH='" + home + "/bin':$PATH; GFLOW_HOME=here gqueue");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err())
        .hasLineCount(1)
        .startsWith("gflow: GFLOW_HOME is no absolute path: 'here'; write GFLOW_HOME=/");
  }

  @Test
  void a_home_with_a_line_end_is_refused_in_one_line() throws Exception {
    var result = shell.run("PATH='" + home + "/bin':$PATH; GFLOW_HOME='/a\nb' gqueue");

    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).hasLineCount(1).contains("has a line end in its path");
  }

  @Test
  void without_a_whole_run_time_one_line_says_how_to_get_one() throws Exception {
    Files.delete(home.resolve("jre/lib/modules"));
    // What this machine has is out of sight.
    String launcher = Files.readString(Path.of("gflow"));
    program(home.resolve("bin/gflow"), launcher.replace("/usr/lib/jvm/*", "/nowhere/*"));
    var result =
        shell.run("PATH='" + home + "/bin':$PATH; HOME=/nowhere JAVA_HOME= GFLOW_JAVA= gqueue");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err())
        .isEqualTo(
            "gflow: there is no Java 25 or newer here; install one (Debian, Ubuntu: apt install"
                + " openjdk-25-jre-headless), or set GFLOW_JAVA to its folder\n");
  }

  @Test
  void a_source_tree_without_a_jdk_says_it_before_maven_does() throws Exception {
    Path tree = root.resolve("tree");
    String launcher = Files.readString(Path.of("gflow"));
    program(tree.resolve("gflow"), launcher.replace("/usr/lib/jvm/*", "/nowhere/*"));
    file(tree.resolve("pom.xml"), "");
    var result = shell.run("HOME=/nowhere JAVA_HOME= GFLOW_JAVA= '" + tree + "/gflow' queue");

    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).hasLineCount(1).contains("apt install openjdk-25-jdk");
  }
}
