package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.e2e.Lab.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The way of the program to a machine: packed into one file, unpacked where there is no JDK,
 * installed, replaced by a newer one under a running daemon, and shown by the demo.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class InstallIT {
  private static final String PACKED =
      Path.of(System.getProperty("gflow.home", "target/gflow")).toAbsolutePath().toString();

  private Lab lab;
  private String prefix;

  @BeforeAll
  void start() {
    lab = new Lab();
    prefix = lab.work().resolve("prefix").toString();
    // Nothing of the build, and no Java, is on the way of what is installed.
    lab.set("PATH", prefix + "/bin:/usr/bin:/bin");
    lab.set("TMPDIR", lab.work().resolve("tmp").toString());
    assertThat(lab.work().resolve("tmp").toFile().mkdirs()).isTrue();
  }

  @AfterAll
  void end() {
    lab.bash("gflowd down --cancel");
    lab.close();
  }

  private String ok(String line) {
    Said said = lab.bash("set -e\n" + line);
    assertThat(said.code()).as(line + "\n" + said).isZero();
    return said.out();
  }

  private List<String> versions() throws IOException {
    try (Stream<Path> all = Files.list(Path.of(prefix, "lib/gflow"))) {
      return all.map(p -> p.getFileName().toString()).filter(n -> !n.equals("current")).toList();
    }
  }

  private String daemonsRuntime() throws IOException {
    String pid = ok("gflowd status --json | grep '\"pid\"'").replaceAll("\\D", "");
    return Files.readSymbolicLink(Path.of("/proc", pid, "exe")).toString();
  }

  @Test
  @Order(1)
  void the_installed_commands_work_from_path() throws IOException {
    assertThat(ok(PACKED + "/bin/gflow install --prefix " + prefix)).contains(prefix + "/bin");
    assertThat(versions()).hasSize(1);
    assertThat(ok("gflow --version")).startsWith("gflow ");
    assertThat(ok("gbatch --gpus 1 --wrap 'echo hello'")).isEqualTo("Submitted batch job 1\n");
    ok("gjob wait 1");
    assertThat(ok("gjob log 1")).isEqualTo("hello\n");
    assertThat(daemonsRuntime()).startsWith(prefix + "/lib/gflow/" + versions().getFirst());
  }

  @Test
  @Order(2)
  void shells_can_read_the_completion() {
    ok("bash -n " + prefix + "/share/bash-completion/completions/gflow");
    ok("bash -n " + prefix + "/share/bash-completion/completions/gbatch");
    assertThat(Path.of(prefix, "share/zsh/site-functions/_gflow")).isNotEmptyFile();
    assertThat(Path.of(prefix, "share/fish/vendor_completions.d/gflow.fish")).isNotEmptyFile();
    ok("! command -v zsh || zsh -n " + prefix + "/share/zsh/site-functions/_gflow");
    ok("! command -v fish || fish -n " + prefix + "/share/fish/vendor_completions.d/gflow.fish");
  }

  @Test
  @Order(3)
  void the_same_again_changes_nothing() throws IOException {
    var before = versions();
    ok(PACKED + "/bin/gflow install --prefix " + prefix);
    assertThat(versions()).isEqualTo(before);
    assertThat(ok("gqueue -h -j 1 -f STATE")).isEqualTo("COMPLETED\n");
  }

  @Test
  @Order(4)
  void a_newer_version_leaves_the_running_daemon_its_files() throws IOException {
    String old = versions().getFirst();
    long job = Long.parseLong(ok("gbatch --parsable sleep 300").strip());
    // The same program under another name: links for what is large, so that it costs no time.
    ok(
        """
        mkdir newer && cp -al %1$s/. newer/ && rm newer/release
        echo 'VERSION=9.9.9
        BUILD=newer' > newer/release
        newer/bin/gflow install --prefix %2$s
        """
            .formatted(Path.of(prefix, "lib/gflow", old), prefix));
    assertThat(versions()).containsExactlyInAnyOrder(old, "9.9.9-newer");
    assertThat(ok("readlink " + prefix + "/lib/gflow/current")).isEqualTo("9.9.9-newer\n");
    assertThat(daemonsRuntime()).contains(old);

    ok("gflowd restart");
    assertThat(daemonsRuntime()).contains("9.9.9-newer");
    assertThat(ok("gqueue -h -j " + job + " -f STATE")).isEqualTo("RUNNING\n");
    ok("newer/bin/gflow install --prefix " + prefix);
    assertThat(versions()).containsExactly("9.9.9-newer");
    ok("gcancel " + job);
  }

  @Test
  @Order(5)
  void what_is_in_the_way_is_not_overwritten() {
    ok("mkdir -p other/bin && echo mine > other/bin/gqueue");
    Said said = lab.bash("newer/bin/gflow install --prefix other");
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.err()).contains("bin/gqueue is in the way");
    assertThat(ok("cat other/bin/gqueue; ls other other/bin"))
        .isEqualTo("mine\nother:\nbin\n\nother/bin:\ngqueue\n");
  }

  @Test
  @Order(6)
  void one_file_brings_it_to_another_machine() {
    String archive = ok("gflow dist").strip();
    assertThat(archive).endsWith(".tar.gz");
    ok("mkdir unpacked && tar -xzf " + archive + " -C unpacked --strip-components 1");
    assertThat(ok("unpacked/bin/gflow --version")).startsWith("gflow ");
    assertThat(ok("unpacked/bin/gqueue -h -j 1 -f STATE")).isEqualTo("COMPLETED\n");
  }

  @Test
  @Order(7)
  void the_demo_shows_the_product_and_leaves_nothing() throws IOException {
    String shown = ok("unpacked/bin/gflow demo");
    assertThat(shown)
        .contains("simulated")
        .contains("$ gbatch --priority 100 --name urgent train.sh\nSubmitted batch job 3\n")
        .contains("$ gqueue\n")
        .contains("(Dependency: 4)")
        .contains("train: lr=0.1 on GPU ")
        .contains("JobId=5 Name=train")
        .endsWith("gflowd is down\n");
    try (Stream<Path> left = Files.list(lab.work().resolve("tmp"))) {
      assertThat(left).isEmpty();
    }
    String mark = "GFLOW_HOME=" + lab.work().resolve("tmp/gflow-demo");
    assertThat(ok("grep -lsa " + mark + " /proc/[0-9]*/environ || :")).isEmpty();
  }

  @Test
  @Order(8)
  void the_demo_cleans_up_when_it_is_interrupted() throws Exception {
    Path tmp = lab.work().resolve("tmp");
    Process demo = lab.start("bash", "-c", "exec unpacked/bin/gflow demo");
    lab.await("the demo's daemon", () -> found(tmp, "home/run/gflow.sock"));
    // The whole group would get Ctrl-C; the shell alone must be enough.
    assertThat(lab.run("kill", "-TERM", Long.toString(demo.pid())).code()).isZero();
    demo.getInputStream().readAllBytes();
    assertThat(demo.waitFor()).isEqualTo(143);
    try (Stream<Path> left = Files.list(tmp)) {
      assertThat(left).isEmpty();
    }
  }

  private static boolean found(Path tmp, String inside) {
    try (Stream<Path> all = Files.list(tmp)) {
      return all.anyMatch(demo -> Files.exists(demo.resolve(inside)));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
