package gflow.local;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Allocation;
import gflow.job.Attempt;
import gflow.job.AttemptId;
import gflow.job.BlobId;
import gflow.job.Effect.Launch;
import gflow.job.JobId;
import gflow.job.JobSpec;
import gflow.job.Program;
import gflow.job.Ranges;
import gflow.job.SampleSpec;
import gflow.job.TaskId;
import gflow.job.Where;
import gflow.process.ProcessMark;
import gflow.process.RawText;
import gflow.process.Spawn;
import gflow.process.Stdio;
import gflow.script.env.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LaunchingTest {
  private static final BlobId SCRIPT = new BlobId("5".repeat(64));
  private static final BlobId CONFIG = new BlobId("c".repeat(64));

  @TempDir Path folder;

  private final Map<BlobId, String> blobs =
      new HashMap<>(
          Map.of(
              SampleSpec.ENVIRONMENT,
              "A=1\0_=x\0",
              SCRIPT,
              "#!/usr/bin/env -S python -u\nx\n",
              CONFIG,
              "c"));

  private JobSpec.Scene scene = SampleSpec.in("/there", 0027, List.of("-S -n 64"));

  private Spawn prepare(Program program, int attempt) throws IOException {
    JobSpec spec = SampleSpec.of(program).withScene(scene);
    var places =
        new AttemptPaths(
            folder.resolve("jobs"), folder.resolve("logs"), folder.resolve("tmp"), "host");
    var launch =
        new Launch(
            new AttemptId(new TaskId(new JobId(7)), attempt),
            spec,
            new Attempt(
                attempt,
                new Allocation(List.of(), Ranges.EMPTY, 0),
                Instant.EPOCH,
                new Where.Here("boot")));
    new AttemptFolders(places).make(launch.attempt());
    return new Launching(places, id -> String.valueOf(blobs.get(id)).getBytes(UTF_8), Fence.none())
        .prepare(
            launch,
            new ProcessMark("m"),
            List.of(Path.of("/cg/procs")),
            List.of(),
            "boot",
            Optional.empty());
  }

  /** The words behind the wrapper's own. */
  private static List<String> program(Spawn spawn) {
    int first = spawn.argv().indexOf("-S -n 64") + 1;
    return spawn.argv().subList(first, spawn.argv().size());
  }

  private static List<String> environment(Spawn spawn) {
    return List.of(new String(spawn.environment(), UTF_8).split("\0", -1));
  }

  @Test
  void the_wrapper_gets_its_values_as_words() throws Exception {
    Spawn spawn = prepare(new Program.Argv(List.of("echo", "a b", "$HOME")), 1);

    assertThat(spawn.argv())
        .containsExactly(
            "/bin/sh",
            "-c",
            Wrapper.TEXT,
            "gflow",
            folder.resolve("jobs/7.1/record").toString(),
            "boot",
            "27",
            "1",
            "1",
            new ProcessMark("m").limitWord(),
            "",
            "/cg/procs",
            "-S -n 64",
            "/usr/bin/env",
            "_=x",
            "echo",
            "a b",
            "$HOME");
    assertThat(spawn.folder()).isEqualTo("/there");
    assertThat(environment(spawn))
        .contains("A=1", "GFLOW_JOB_ID=7", "CUDA_VISIBLE_DEVICES=", "GFLOW_MARK=m")
        .doesNotContain("_=x");
  }

  @Test
  void a_script_is_copied_and_run_by_its_interpreter() throws Exception {
    blobs.put(SampleSpec.ENVIRONMENT, "A=1\0");
    Spawn spawn = prepare(new Program.Script(SCRIPT, List.of("--lr", "0.1")), 1);

    Path copy = folder.resolve("jobs/7.1/script");
    assertThat(program(spawn))
        .containsExactly("/usr/bin/env", "-S python -u", copy.toString(), "--lr", "0.1");
    assertThat(copy).hasContent("#!/usr/bin/env -S python -u\nx\n");
  }

  @Test
  void without_a_line_for_it_the_interpreter_is_bash() {
    var bash = List.of("/bin/bash");
    assertThat(Launching.interpreter("echo x\n".getBytes(UTF_8))).isEqualTo(bash);
    assertThat(Launching.interpreter(new byte[0])).isEqualTo(bash);
    assertThat(Launching.interpreter("#!\n".getBytes(UTF_8))).isEqualTo(bash);
    assertThat(Launching.interpreter("#! /bin/zsh -f -x\necho".getBytes(UTF_8)))
        .containsExactly("/bin/zsh", "-f -x");
  }

  @Test
  void what_a_shell_sets_itself_goes_around_it() {
    var given = new Environment(List.of("A=1", "IFS= ", "PS3=x", "=odd", "SHLVL=1", "B=a=b"));
    WrapperShell.Split split = WrapperShell.SH.split(given, true);

    assertThat(split.through().entries()).containsExactly("A=1", "PS3=x", "SHLVL=1", "B=a=b");
    assertThat(split.around()).containsExactly("IFS= ");
    assertThat(WrapperShell.SH.split(given, false).around()).containsExactly("IFS= ", "SHLVL=1");
  }

  @Test
  void what_goes_around_the_shell_keeps_its_bytes() {
    var given = new Environment(List.of("IFS=\u00ff"));
    String word = WrapperShell.SH.split(given, true).around().getFirst();
    assertThat(RawText.bytes(word)).isEqualTo("IFS=\u00ff".getBytes(ISO_8859_1));
  }

  /** Everybody sees a command line, and the value of such a name may be a password. */
  @Test
  void what_a_plain_shell_would_drop_is_never_in_a_command_line() throws Exception {
    for (String entry : List.of("db.password=hunter2", "-x=hunter2", "BASH_FUNC_m%%=hunter2")) {
      blobs.put(SampleSpec.ENVIRONMENT, "A=1\0" + entry + "\0");
      Spawn spawn = prepare(new Program.Argv(List.of("true")), 1);

      assertThat(spawn.argv()).as(entry).noneMatch(word -> word.contains("hunter2"));
      assertThat(spawn.argv()).startsWith("/bin/bash", "--posix", "-p", "-c");
      assertThat(environment(spawn)).contains(entry);
    }
  }

  @Test
  void conda_runs_the_scripts_of_its_packages_first() throws Exception {
    blobs.put(SampleSpec.ENVIRONMENT, "A=1\0");
    Path prefix = folder.resolve("env");
    scene =
        new JobSpec.Scene(
            "/there",
            SampleSpec.ENVIRONMENT,
            0027,
            List.of("-S -n 64"),
            Optional.of(prefix.toString()),
            JobSpec.Output.DEFAULT,
            Optional.empty());
    var argv = new Program.Argv(List.of("/bin/sh", "-c", "echo \"$MADE $1\"", "x", "a b"));
    assertThat(program(prepare(argv, 1))).startsWith("/bin/sh");

    Path scripts = Files.createDirectories(prefix.resolve("etc/conda/activate.d"));
    Files.writeString(scripts.resolve("one.sh"), "export MADE=here\n");
    Process process = new ProcessBuilder(program(prepare(argv, 1))).start();
    assertThat(new String(process.getInputStream().readAllBytes(), UTF_8)).isEqualTo("here a b\n");
    assertThat(process.waitFor()).isZero();
  }

  @Test
  void our_log_is_private_and_a_file_of_the_users_is_cut_off_only_at_the_first_try()
      throws Exception {
    var argv = new Program.Argv(List.of("true"));
    String log = folder.resolve("logs/7.log").toString();
    assertThat(prepare(argv, 1).stdout()).isEqualTo(new Stdio.Write(log, true, 0600));
    assertThat(prepare(argv, 1).stderr()).isEqualTo(new Stdio.SameAsStdout());
    assertThat(prepare(argv, 1).stdin()).isEqualTo(new Stdio.Null());

    var output =
        new JobSpec.Output(
            Optional.of("%j.out"), Optional.of("/dev/null"), Optional.of("in"), false);
    scene =
        new JobSpec.Scene(
            "/there",
            SampleSpec.ENVIRONMENT,
            0027,
            List.of(),
            Optional.empty(),
            output,
            Optional.of(new JobSpec.Attachment("c.toml", CONFIG)));
    assertThat(prepare(argv, 1).stdout()).isEqualTo(new Stdio.Write("/there/7.out", false, 0640));
    assertThat(prepare(argv, 2).stdout()).isEqualTo(new Stdio.Write("/there/7.out", true, 0640));
    assertThat(prepare(argv, 1).stderr()).isEqualTo(new Stdio.Null());
    assertThat(prepare(argv, 1).stdin()).isEqualTo(new Stdio.Read("/there/in"));
    assertThat(folder.resolve("jobs/7.1/config/c.toml")).hasContent("c");
  }
}
