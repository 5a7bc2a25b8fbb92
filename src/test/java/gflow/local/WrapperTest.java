package gflow.local;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Exit;
import gflow.process.ProcessMark;
import gflow.script.env.Environment;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The real text, under every shell that some system calls {@code sh} and this machine has. */
class WrapperTest {
  private static final int NEVER_BEGAN = 128 + 30;

  @TempDir Path folder;

  private final Map<String, String> environment = new java.util.TreeMap<>();

  /** Of the wrapper that ran last. */
  private int code;

  static Stream<Path> shells() {
    return Stream.of("/bin/dash", "/bin/bash", "/bin/busybox").map(Path::of).filter(Files::exists);
  }

  /** Runs a program in it; stdout and stderr together. */
  private String run(Path shell, Wrapper.Setting setting, String... program)
      throws IOException, InterruptedException {
    Path sh = Files.createSymbolicLink(folder.resolve("sh"), shell.toRealPath());
    var words = new ArrayList<>(Wrapper.argv(WrapperShell.SH, setting, List.of(program)));
    words.set(0, sh.toString());
    File out = folder.resolve("out").toFile();
    var builder = new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(out);
    builder.environment().clear();
    builder.environment().putAll(environment);
    code = builder.directory(folder.toFile()).start().waitFor();
    Files.delete(sh);
    return Files.readString(out.toPath());
  }

  private static final ProcessMark MARK = new ProcessMark("of/the/test");

  private Wrapper.Setting plain() {
    return setting(0022);
  }

  private Wrapper.Setting setting(int umask, String... ulimits) {
    return new Wrapper.Setting(
        folder.resolve("record"), "boot", umask, List.of(), List.of(ulimits), MARK, false);
  }

  /** It hangs where it joins its group, which here is a FIFO that nobody reads. */
  @ParameterizedTest
  @MethodSource("shells")
  void one_that_is_told_to_end_before_the_program_runs_nothing(Path shell) throws Exception {
    Path fifo = folder.resolve("fifo");
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    Path record = folder.resolve("record");
    var setting = new Wrapper.Setting(record, "boot", 0022, List.of(fifo), List.of(), MARK, false);
    Path sh = Files.createSymbolicLink(folder.resolve("sh"), shell.toRealPath());
    Path ran = folder.resolve("ran");
    var words =
        new ArrayList<>(
            Wrapper.argv(WrapperShell.SH, setting, List.of("/bin/touch", ran.toString())));
    words.set(0, sh.toString());
    Process process = new ProcessBuilder(words).start();
    while (!(AttemptRecord.read(record) instanceof AttemptRecord.Started)) {
      Thread.sleep(5);
    }
    Thread.sleep(50);
    process.destroy();
    try (var unblocked = new java.io.RandomAccessFile(fifo.toFile(), "rw")) {
      assertThat(process.waitFor()).isEqualTo(NEVER_BEGAN);
      assertThat(unblocked.getFD().valid()).isTrue();
    }

    assertThat(AttemptRecord.read(record)).isEqualTo(new AttemptRecord.Voided());
    assertThat(ran).doesNotExist();
  }

  /** As where no namespace can be made any more: the code is not that of the program. */
  @ParameterizedTest
  @MethodSource("shells")
  void one_whose_fence_does_not_say_that_it_stands_never_began(Path shell) throws Exception {
    var fenced =
        new Wrapper.Setting(
            folder.resolve("record"), "boot", 0022, List.of(), List.of(), MARK, true);

    run(shell, fenced, "/bin/sh", "-c", "exit 1");

    assertThat(code).isEqualTo(NEVER_BEGAN);
    assertThat(AttemptRecord.read(fenced.record())).isEqualTo(new AttemptRecord.Voided());
  }

  @ParameterizedTest
  @MethodSource("shells")
  void one_whose_fence_stands_tells_the_code_of_the_program(Path shell) throws Exception {
    var fenced =
        new Wrapper.Setting(
            folder.resolve("record"), "boot", 0022, List.of(), List.of(), MARK, true);

    run(shell, fenced, "/bin/sh", "-c", "kill -URG $PPID; exit 3");

    assertThat(code).isEqualTo(3);
    assertThat(finished().exit()).isEqualTo(Exit.code(3));
  }

  private AttemptRecord.Finished finished() throws IOException {
    return (AttemptRecord.Finished) AttemptRecord.read(folder.resolve("record"));
  }

  @ParameterizedTest
  @MethodSource("shells")
  void it_writes_down_who_it_is_and_how_the_program_ended(Path shell) throws Exception {
    String out = run(shell, plain(), "/bin/sh", "-c", "echo hello; echo $PPID; exit 3");

    assertThat(code).isEqualTo(3);
    assertThat(finished().exit()).isEqualTo(Exit.code(3));
    assertThat(finished().cpuTime()).isPresent();
    assertThat(finished().bootId()).isEqualTo("boot");
    assertThat(out).isEqualTo("hello\n" + finished().wrapper() + "\n");
  }

  @ParameterizedTest
  @MethodSource("shells")
  void a_second_one_runs_nothing(Path shell) throws Exception {
    run(shell, plain(), "/bin/sh", "-c", "echo ran >>count");
    var first = finished();

    assertThat(run(shell, plain(), "/bin/sh", "-c", "echo ran >>count; exit 9")).isEmpty();
    assertThat(code).isEqualTo(NEVER_BEGAN);

    assertThat(folder.resolve("count")).hasContent("ran");
    assertThat(finished()).isEqualTo(first);
  }

  @ParameterizedTest
  @MethodSource("shells")
  void it_outlives_the_signals_that_end_the_program(Path shell) throws Exception {
    String ends = "kill -HUP $PPID; kill -INT $PPID; kill -TERM $PPID; kill -TERM $$; sleep 60";

    run(shell, plain(), "/bin/sh", "-c", ends);

    assertThat(code).isEqualTo(128 + 15);
    assertThat(finished().exit()).isEqualTo(Exit.signal(15));
  }

  @ParameterizedTest
  @MethodSource("shells")
  void the_environment_arrives_as_it_was(Path shell) throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder);
    var entries =
        List.of(
            "A=1",
            "EMPTY=",
            "HOME=/nowhere",
            "IFS=:",
            "LINES=two\nlines = 2 ",
            "OLDPWD=/old",
            "OPTIND=7",
            "PATH=/usr/bin:/bin",
            "PS1=$ ",
            "PS4=+ ",
            "PWD=" + link,
            "SHLVL=5",
            "_=/usr/bin/gbatch",
            "gflow=mine");
    var given = new Environment(entries);
    var split = WrapperShell.SH.split(given, WrapperShell.isDash(shell));

    String out = run(shell, plain(), shows(split));

    assertThat(out.split("\0", -1)).filteredOn(e -> !e.isEmpty()).hasSameElementsAs(entries);
  }

  @Test
  void bash_hands_on_what_other_shells_drop_and_takes_no_function_from_there() throws Exception {
    var entries =
        List.of(
            "-x=option",
            "A=1",
            "BASH_ENV=/dev/stderr",
            "BASH_FUNC_echo%%=() {  exit 9\n}",
            "BASH_FUNC_module%%=() {  echo \"$@\"\n}",
            "EUID=7",
            "PATH=/usr/bin:/bin",
            "PWD=" + folder,
            "SHELLOPTS=errexit",
            "SHLVL=5",
            "a.b-c=dots");
    var given = new Environment(entries);
    WrapperShell shell = WrapperShell.of(given);
    var words = new ArrayList<>(List.of("/usr/bin/env", "-i"));
    var split = shell.split(given);
    // Names that begin with a dash would be options of env itself.
    words.add("--");
    words.addAll(split.through().entries());
    words.addAll(Wrapper.argv(shell, plain(), List.of(shows(split))));
    var process = new ProcessBuilder(words).directory(folder.toFile()).start();
    String out = new String(process.getInputStream().readAllBytes(), UTF_8);

    assertThat(out.split("\0", -1)).filteredOn(e -> !e.isEmpty()).hasSameElementsAs(entries);
    assertThat(finished().exit()).isEqualTo(Exit.OK);
  }

  /** A program that shows its environment; what the shell is to be given is set on the way. */
  private String[] shows(WrapperShell.Split split) {
    for (String entry : split.through().entries()) {
      int equals = entry.indexOf('=', 1);
      environment.put(entry.substring(0, equals), entry.substring(equals + 1));
    }
    var program = new ArrayList<>(List.of("/usr/bin/env"));
    program.addAll(split.around());
    program.addAll(List.of("/usr/bin/env", "-0"));
    return program.toArray(String[]::new);
  }

  @ParameterizedTest
  @MethodSource("shells")
  void umask_and_limits_are_the_submitters(Path shell) throws Exception {
    String ask = "umask; ulimit -S -n; ulimit -c";

    String out = run(shell, setting(0027, "-S -n 77", "-H -c 0"), "/bin/sh", "-c", ask);

    assertThat(out).isEqualTo("0027\n77\n0\n");
  }

  @ParameterizedTest
  @MethodSource("shells")
  void the_program_has_the_mark_as_a_limit(Path shell) throws Exception {
    String out = run(shell, plain(), "/bin/grep", "file locks", "/proc/self/limits");

    assertThat(out).contains(MARK.limitWord());
  }

  @ParameterizedTest
  @MethodSource("shells")
  void what_the_wrapper_has_to_say_stays_out_of_the_log(Path shell) throws Exception {
    var joins = List.of(folder.resolve("no/such/cgroup"), folder.resolve("procs"));
    var setting =
        new Wrapper.Setting(
            folder.resolve("record"),
            "boot",
            0022,
            joins,
            List.of("-H -n wrong", "-? 1"),
            MARK,
            false);

    assertThat(run(shell, setting, "/bin/echo", "only this")).isEqualTo("only this\n");

    assertThat(finished().exit()).isEqualTo(Exit.OK);
    assertThat(folder.resolve("procs")).hasContent("0");
  }

  @ParameterizedTest
  @MethodSource("shells")
  void a_program_that_is_not_there_is_127_and_no_builtin_is_taken_for_it(Path shell)
      throws Exception {
    assertThat(run(shell, plain(), "no-such-program")).contains("no-such-program");
    assertThat(finished().exit()).isEqualTo(Exit.code(127));

    Files.delete(folder.resolve("record"));
    run(shell, plain(), "exit", "5");
    assertThat(finished().exit()).isEqualTo(Exit.code(127));
  }

  @ParameterizedTest
  @MethodSource("shells")
  void whatever_the_program_does_to_the_record_its_code_is_that_of_the_wrapper(Path shell)
      throws Exception {
    for (String change : List.of("rm R", "rm R; mkfifo R", "rm R; mkdir R", "ln -sf /dev/full R")) {
      run(shell, plain(), "/bin/sh", "-c", change.replace("R", "record") + "; exit 5");

      assertThat(code).as(change).isEqualTo(5);
      assertThat(new ProcessBuilder("rm", "-rf", folder + "/record").start().waitFor()).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("shells")
  void a_program_that_may_write_no_file_still_ends_with_its_code(Path shell) throws Exception {
    run(shell, setting(0022, "-f 0"), "/bin/sh", "-c", "exit 7");

    assertThat(code).isEqualTo(7);
  }

  /** As root has no limit on processes, only what every user has is tried. */
  @ParameterizedTest
  @MethodSource("shells")
  void a_wrapper_without_descriptors_or_files_runs_nothing_and_says_so(Path shell)
      throws Exception {
    for (String limit : List.of("-n 9", "-f 0")) {
      Path sh = Files.createSymbolicLink(folder.resolve("sh"), shell.toRealPath());
      var words =
          new ArrayList<>(
              Wrapper.argv(WrapperShell.SH, plain(), List.of("/bin/touch", folder + "/ran")));
      words.set(0, sh.toString());
      var limited =
          new ArrayList<>(List.of("/bin/sh", "-c", "ulimit " + limit + "; exec \"$@\"", "sh"));
      limited.addAll(words);
      int ended = new ProcessBuilder(limited).start().waitFor();
      Files.delete(sh);

      assertThat(ended - 128).as(limit).isIn(Wrapper.NEVER_BEGAN);
      assertThat(folder.resolve("ran")).doesNotExist();
      Files.deleteIfExists(folder.resolve("record"));
    }
  }
}
