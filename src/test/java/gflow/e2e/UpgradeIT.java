package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/**
 * A home that the release before the steps of issue 4 has left: 1,000 waiting jobs and 3 that run,
 * with its database, its records, its wrapper and its marks.
 */
class UpgradeIT {
  private static final Path MIGRATIONS = Path.of("src/main/resources/gflow/store");
  private static final List<Integer> CODES = List.of(3, 4, 5);

  /** The parent of a program as that release had it. */
  private static final String WRAPPER =
      """
      exec 8>&1 9>&2 >/dev/null 2>&1
      set -C
      echo "start $$ $2" >"$1" || exit 0
      set +C
      gflow_r=$1 gflow_j=$4 gflow_l=$5
      trap 'echo never >>"$gflow_r"; exit 0' TERM INT HUP
      umask "$3"
      shift 5
      echo 500 >/proc/self/oom_score_adj
      trap : TERM INT HUP
      (exec "$@") >&8 2>&9 8>&- 9>&-
      gflow_e=$?
      { times; echo "exit $gflow_e"; } >>"$gflow_r"
      """;

  @Test
  void a_home_of_the_last_release_is_taken_over_and_nothing_is_lost() throws Exception {
    try (var lab = new Lab()) {
      leave(lab);
      for (int i = 0; i < CODES.size(); i++) {
        run(lab, i + 1, CODES.get(i));
      }
      lab.up();

      assertThat(version(lab)).isEqualTo(newest());
      assertThat(lab.jobs()).hasSize(3 + 1000);
      assertThat(lab.jobs().stream().filter(j -> j.get("state").equals("RUNNING"))).hasSize(3);
      for (int i = 0; i < CODES.size(); i++) {
        lab.write(lab.work().resolve("go." + CODES.get(i)), "");
        lab.awaitState(i + 1, "FAILED");
        assertThat(lab.job(i + 1).get("exit_code")).isEqualTo((long) CODES.get(i));
        assertThat(lab.job(i + 1).get("attempt")).isEqualTo(1L);
      }
      lab.awaitState(9, "COMPLETED");
      lab.ok("gjob", "release", "4");
      lab.ok("gcancel", "--state", "PENDING", "--name", "w0,w1,w2,w3,w4,w5,w6");
      lab.await("the array", () -> ended(lab, "COMPLETED", 5));
      assertThat(lab.submit("true")).as("no number is given out twice").isEqualTo(1008);
    }
  }

  /**
   * There the first task has the number of the array, so each is one further on than in new ones.
   */
  @Test
  void a_running_array_of_the_last_release_is_taken_over_task_by_task() throws Exception {
    try (var lab = new Lab()) {
      leave(lab);
      sql(
          lab,
          "DELETE FROM job WHERE id IN (2, 3)",
          "DELETE FROM spec WHERE job_id IN (2, 3)",
          "UPDATE job SET count = 3, array = '0-2' WHERE id = 1",
          "UPDATE spec SET json = json_set(json, '$.tasks', json('{\"array\":\"0-2\"}'))"
              + " WHERE job_id = 1",
          "UPDATE attempt SET job_id = 1 WHERE task_number IN (2, 3)");
      for (int i = 0; i < CODES.size(); i++) {
        run(lab, i + 1, CODES.get(i));
      }
      lab.up();

      for (int i = 0; i < CODES.size(); i++) {
        String task = "1_" + i;
        assertThat(lab.ok("gjob", "show", task).out()).contains("JobId=" + (i + 1) + " ");
        lab.write(lab.work().resolve("go." + CODES.get(i)), "");
        assertThat(lab.run("gjob", "wait", task).code()).as(task).isEqualTo(CODES.get(i));
      }
      lab.ok("gcancel", "--all");
      long array = lab.submit("--array", "0-1", "true");
      assertThat(array).isEqualTo(1008);
      assertThat(lab.submit("true")).isEqualTo(array + 3);
      lab.awaitIdle();
      assertThat(lab.ok("gjob", "show", "1009").out()).contains("ArrayTaskId=0");
    }
  }

  private static void sql(Lab lab, String... lines) throws SQLException {
    try (Connection connection = open(lab);
        var statement = connection.createStatement()) {
      for (String line : lines) {
        statement.executeUpdate(line);
      }
    }
  }

  private static boolean ended(Lab lab, String state, int tasks) {
    return lab.jobs().stream()
            .filter(j -> Long.valueOf(4).equals(j.get("array_job_id")))
            .filter(j -> j.get("state").equals(state))
            .count()
        == tasks;
  }

  @Test
  void a_home_of_a_newer_release_is_refused_with_a_line_and_left_as_it_is() throws Exception {
    try (var lab = new Lab()) {
      leave(lab);
      sql(lab, "PRAGMA user_version = " + (newest() + 1));
      Lab.Said said = lab.run("gflowd", "up");

      assertThat(said.code()).isEqualTo(1);
      assertThat(said.err()).hasLineCount(1).contains("was written by a newer gflow");
      assertThat(version(lab)).isEqualTo(newest() + 1);
    }
  }

  /** The database as it was on that machine, moved to this one. */
  private static void leave(Lab lab) throws IOException, SQLException {
    Files.createDirectories(lab.home());
    String sql;
    try (var in =
        new GZIPInputStream(UpgradeIT.class.getResourceAsStream("/upgrade/schema-4.sql.gz"))) {
      sql = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    sql =
        sql.replace("@TOP@", lab.home().getParent().toString())
            .replace("@BOOT@", boot())
            .replace("@HOST@", kernel("hostname"));
    sql(
        lab,
        sql,
        "UPDATE job SET uid = %s, gid = %s, user = '%s'"
            .formatted(
                Files.getAttribute(lab.work(), "unix:uid"),
                Files.getAttribute(lab.work(), "unix:gid"),
                Files.getOwner(lab.work()).getName()));
  }

  private static Connection open(Lab lab) throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + lab.home().resolve("gflow.db"));
  }

  private static int version(Lab lab) throws SQLException {
    try (Connection connection = open(lab);
        var statement = connection.createStatement();
        var row = statement.executeQuery("PRAGMA user_version")) {
      return row.getInt(1);
    }
  }

  private static int newest() throws IOException {
    try (Stream<Path> scripts = Files.list(MIGRATIONS)) {
      return (int) scripts.filter(p -> p.getFileName().toString().matches("V\\d+__.*")).count();
    }
  }

  private static String boot() throws IOException {
    return kernel("random/boot_id");
  }

  private static String kernel(String name) throws IOException {
    return Files.readString(Path.of("/proc/sys/kernel", name)).strip();
  }

  /** An attempt as that release had started it: in a session of its own, marked twice. */
  private static void run(Lab lab, int job, int code) throws IOException {
    Path folder = Files.createDirectories(lab.home().resolve("jobs/" + job + ".1"));
    Path log = Files.createDirectories(lab.home().resolve("logs")).resolve(job + ".log");
    String text = "#!/bin/sh\nuntil [ -e \"go.$1\" ]; do sleep 0.1; done\nexit \"$1\"\n";
    Path script = Files.writeString(folder.resolve("script"), text);
    String mark =
        "gflow-%s-%s-%d.1"
            .formatted(
                Files.getAttribute(lab.work(), "unix:uid"),
                Integer.toHexString(lab.home().toString().hashCode()),
                job);
    var words = new ArrayList<>(List.of("setsid", "prlimit", "--locks=" + limit(mark) + ":"));
    words.addAll(List.of("/bin/sh", "-c", WRAPPER, "gflow", folder.resolve("record").toString()));
    words.addAll(List.of(boot(), "22", "0", "0", "/bin/sh", script.toString(), "" + code));
    var builder = new ProcessBuilder(words).directory(lab.work().toFile());
    builder.environment().clear();
    builder
        .environment()
        .putAll(
            Map.of(
                "PATH",
                "/usr/bin:/bin",
                "GFLOW_HOME",
                lab.home().toString(),
                "GFLOW_JOB_ID",
                "" + job,
                "GFLOW_MARK",
                mark));
    builder.redirectInput(Path.of("/dev/null").toFile());
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    builder.start();
    lab.await("its record", () -> Lab.read(folder.resolve("record")).endsWith("\n"));
  }

  /** FNV-1a, as that release computed it. */
  private static long limit(String mark) {
    long hash = 0xcbf29ce484222325L;
    for (byte b : mark.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
    }
    return (hash & 0x3fff_ffff_ffff_ffffL) | 1L << 46;
  }
}
