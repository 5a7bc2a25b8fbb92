package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** A server and its clients as one job: how it starts, and all the ways in which it ends. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class GroupsIT {
  private static final Path EXAMPLE = Path.of("examples/oversubscription");

  private final Lab lab = new Lab("GFLOW_GPUS=sim:8x24G");

  @BeforeAll
  void start() throws IOException {
    try (Stream<Path> files = Files.list(EXAMPLE)) {
      for (Path file : files.toList()) {
        Path copy = lab.work().resolve(file.getFileName());
        Files.copy(file, copy);
        copy.toFile().setExecutable(true);
      }
    }
    lab.write(lab.work().resolve("until.sh"), "until [ -e $1 ]; do sleep 0.05; done");
    lab.configure("[log]\nmax_size = \"1M\"\n");
    lab.up();
  }

  /** What is left of any job, the lab complains about. */
  @AfterAll
  void end() {
    lab.close();
  }

  private long group(String name, String text) {
    lab.write(lab.work().resolve(name + ".toml"), text);
    return lab.submit("--group", name + ".toml");
  }

  private String shown(long job) {
    return lab.ok("gjob", "show", "" + job).out();
  }

  private boolean exists(String file) {
    return Files.exists(lab.work().resolve(file));
  }

  private void touch(String file) {
    lab.write(lab.work().resolve(file), "");
  }

  private String read(String file) {
    return Lab.read(lab.work().resolve(file));
  }

  @Test
  @Order(1)
  void the_example_runs_as_a_group_and_as_scripts() {
    long group = lab.submit("--group", "md.toml");
    long scripts = lab.submit("job.sh");
    lab.awaitState(group, "COMPLETED");
    for (int task = 0; task < 32; task++) {
      String log = lab.ok("gjob", "log", "" + group, "--role", "client", "--task", "" + task).out();
      assertThat(log)
          .startsWith("client " + task + " on GPU " + task % 4 + "\n")
          .contains("client " + task + " did ");
    }
    assertThat(lab.ok("gjob", "log", "" + group, "--role=server").out()).endsWith("server: done\n");
    assertThat(lab.steps(group))
        .extracting(step -> step.get("name") + " " + step.get("state") + " " + step.get("ntasks"))
        .containsExactly("server COMPLETED 1", "client COMPLETED 32");
    assertThat(lab.run("gjob", "log", "" + group, "--role", "clients").err())
        .isEqualTo(
            "gjob log: role clients of job "
                + group
                + " has no log of task 0; there are logs of client, server\n");
    lab.awaitState(scripts, "COMPLETED");
    assertThat(lab.log(scripts).lines().filter(line -> line.contains("on GPU 3"))).hasSize(8);
  }

  @Test
  @Order(2)
  void clients_are_spread_evenly_over_all_gpus() {
    String text = "gpus = %d\n[client]\ncount = %d\nspread = true\noutput = 'on-{role}-%1$d'\n";
    String command = "command = 'echo {gpu} {ntasks} $A'\nenv = ['A={task}-{job}']\n";
    long many = group("many", text.formatted(8, 31) + command);
    lab.awaitState(many, "COMPLETED");
    long few = group("few", text.formatted(4, 7) + command);
    lab.awaitState(few, "COMPLETED");
    assertThat(clientsOnGpus("on-client-8")).isEqualTo(Map.of(4L, 7L, 3L, 1L));
    assertThat(clientsOnGpus("on-client-4")).isEqualTo(Map.of(2L, 3L, 1L, 1L));
    assertThat(lab.ok("gjob", "log", "" + few, "--role=client", "--task=6").out())
        .isEqualTo(read("on-client-4"));
    assertThat(read("on-client-4")).contains(" 7 6-" + few + "\n");
  }

  /** How many GPUs have so many clients. */
  private Map<Long, Long> clientsOnGpus(String file) {
    Map<String, Long> each =
        read(file)
            .lines()
            .collect(Collectors.groupingBy(l -> l.split(" ", 2)[0], Collectors.counting()));
    return new TreeMap<>(
        each.values().stream().collect(Collectors.groupingBy(n -> n, Collectors.counting())));
  }

  @Test
  @Order(3)
  void what_goes_wrong_ends_the_job_with_its_cause() {
    String sleeper = "[server]\ncommand = 'echo up; exec sleep 600'\n";
    long never =
        group(
            "never",
            sleeper
                + "ready = 'file:never-there'\nready_timeout = '1s'\n[client]\nafter = 'server'\n"
                + "command = 'touch too-early'\n");
    long thrice =
        group(
            "thrice",
            sleeper
                + "[client]\nafter = 'server'\nretries = 2\n"
                + "command = 'echo try >>tries; exit 3'\n");
    long killed =
        group(
            "killed",
            """
            [server]
            command = 'kill -9 $$'
            ready = 'file:md.toml'
            [client]
            count = 2
            after = 'server'
            command = 'exec sleep 600'
            """);
    long early =
        group("early", "[server]\ncommand = 'echo no such input; exit 2'\nready = 'file:x'\n");

    lab.awaitState(never, "FAILED");
    String late = "role server is not ready after 1 s: there is no file:never-there; the last line";
    assertThat(shown(never)).contains("Reason=" + late + " of its log: up");
    assertThat(lab.log(never)).endsWith("gflow: " + late + " of its log: up\n");
    assertThat(exists("too-early")).isFalse();

    lab.awaitState(killed, "FAILED");
    assertThat(shown(killed))
        .contains("Reason=role server ended with code 137")
        .contains("Signal=9");
    lab.awaitState(early, "FAILED");
    assertThat(shown(early))
        .contains("Reason=role server ended with code 2, and there is no file:x; the last line of");

    lab.awaitState(thrice, "FAILED");
    assertThat(read("tries")).isEqualTo("try\ntry\ntry\n");
    assertThat(lab.log(thrice))
        .contains(
            "grun: task 0 of client: Exited with exit code 3; it runs again in 1 s (1 of 2)\n")
        .contains("grun: task 0 of client: Exited with exit code 3, at its last try (2 of 2)\n")
        .contains(
            "gflow: all tasks of role client have failed, with code 3, and nobody comes to server"
                + " any more");
    assertThat(shown(thrice)).contains("ExitCode=3");
  }

  @Test
  @Order(4)
  void a_client_that_dies_never_ends_the_rest() {
    long job =
        group(
            "one",
            """
            [server]
            command = 'trap "echo stopped >server-end; exit 0" TERM; while :; do sleep 0.05; done'
            [client]
            count = 2
            after = "server"
            ends = "job"
            command = ["sh", "-c", "[ {task} = 1 ] && exit 4; sh until.sh one-go"]
            """);
    lab.await("its end", () -> lab.steps(job).size() == 2);
    touch("one-go");
    lab.awaitState(job, "FAILED");
    assertThat(shown(job)).contains("ExitCode=4").contains("Reason=role client ended with code 4");
    assertThat(read("server-end")).isEqualTo("stopped\n");
  }

  @Test
  @Order(5)
  void who_was_started_last_is_stopped_first() {
    String trap = "trap \"echo {role} >>order; exit 0\" TERM; touch {role}-up; ";
    String loop = "while :; do sleep 0.05; done'\n";
    long job =
        group(
            "stop",
            "[server]\ncommand = '"
                + trap
                + loop
                + "ready = 'file:server-up'\n"
                + "[client]\nafter = 'server'\ncommand = '"
                + trap
                + loop
                + "[logger]\nafter = 'client'\ncommand = '"
                + trap
                + loop);
    lab.await("all", () -> exists("logger-up"));
    lab.ok("gcancel", "" + job);
    lab.awaitState(job, "CANCELLED");
    assertThat(read("order")).isEqualTo("logger\nclient\nserver\n");
  }

  @Test
  @Order(6)
  void roles_with_gpus_of_their_own_have_different_ones() {
    long job =
        group(
            "apart",
            "[a]\n"
                + "gpus = 2\n"
                + "command = 'echo $CUDA_VISIBLE_DEVICES >a; sh until.sh b'\n"
                + "[b]\n"
                + "gpus = 1\n"
                + "command = 'echo $CUDA_VISIBLE_DEVICES >b; until [ -e a ]; do sleep 0.05;"
                + " done'\n");
    lab.awaitState(job, "COMPLETED");
    var all =
        Stream.of(read("a"), read("b")).flatMap(l -> Stream.of(l.strip().split(","))).toList();
    assertThat(all).hasSize(3).doesNotHaveDuplicates();
  }

  @Test
  @Order(7)
  void the_log_of_a_role_does_not_fill_the_disk() {
    long job = group("large", "[a]\ncommand = 'yes | head -c 3000000; sh until.sh large-go'\n");
    Path log = lab.home().resolve("logs/" + job + "/a.0.log");
    lab.await("the cut", () -> Lab.read(log).startsWith("[gflow: what stood here was cut"));
    touch("large-go");
    lab.awaitState(job, "COMPLETED");
  }

  @Test
  @Order(9)
  void the_daemon_may_die_at_any_moment() {
    String text =
        """
        gpus = 2
        [server]
        command = 'touch k-started; sh until.sh k-1; touch k-ready; sh until.sh k-3'
        ready = "file:k-ready"
        [client]
        ends = "job"
        count = 3
        spread = true
        retries = 3
        after = "server"
        env = ["TASK={task}"]
        command = "sh client-of-k.sh"
        """;
    lab.write(
        lab.work().resolve("client-of-k.sh"),
        "touch k-$TASK-up; sh until.sh k-2; [ $TASK$(ls k-3) != 1 ] || exit 1; sh until.sh k-3");
    long job = group("k", text);
    dieAndComeBack();
    lab.await("the server", () -> exists("k-started"));
    dieAndComeBack();
    touch("k-1");
    lab.await("clients", () -> IntStream.range(0, 3).allMatch(t -> exists("k-" + t + "-up")));
    dieAndComeBack();
    touch("k-2");
    lab.await("a client that died", () -> lab.log(job).contains("runs again in 1 s"));
    dieAndComeBack();
    touch("k-3");
    lab.killDaemon();
    lab.up();
    lab.awaitState(job, "COMPLETED");
    assertThat(lab.steps(job).getLast())
        .containsEntry("name", "client")
        .containsEntry("state", "COMPLETED");
  }

  private void dieAndComeBack() {
    lab.killDaemon();
    lab.up();
  }

  @Test
  @Order(8)
  void nothing_is_submitted_by_a_dry_run_and_mistakes_have_their_line() {
    assertThat(lab.ok("gbatch", "--dry-run", "--group", "md.toml").out())
        .contains("Would submit")
        .contains("gpus=4");
    lab.write(lab.work().resolve("bad.toml"), "gpus = 1\n[a]\ncommand = 'x'\nafter = 'b'\n");
    assertThat(lab.run("gbatch", "--group", "bad.toml").err())
        .isEqualTo(
            "gbatch: bad.toml line 4: role a waits for 'b', which is no role; did you mean a?\n");
    assertThat(lab.run("gbatch", "--group", "none.toml").code()).isEqualTo(1);
    assertThat(List.of(lab.run("gbatch", "--group", "md.toml", "x").code())).containsExactly(2);
  }
}
