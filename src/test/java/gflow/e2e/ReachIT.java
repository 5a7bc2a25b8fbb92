package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A daemon that lives can be reached, or it is said why not. */
class ReachIT {
  @Test
  void a_run_folder_that_was_removed_is_made_again() {
    try (var lab = new Lab()) {
      lab.up();
      long pid = lab.daemonPid();
      long held = lab.submit("--hold", "true");
      remove(lab, "run");
      lab.await("the door", () -> Files.exists(lab.home().resolve("run/door/daemon")));
      assertThat(lab.daemonPid()).isEqualTo(pid);
      lab.ok("gcancel", Long.toString(held));

      remove(lab, "run");
      Lab.Said said = lab.run("gflowd", "down");
      assertThat(said.out()).isEqualTo("gflowd is down\n");
      assertThat(ProcessHandle.of(pid).filter(ProcessHandle::isAlive)).isEmpty();
    }
  }

  @Test
  void who_submits_right_then_is_served_by_that_daemon() {
    try (var lab = new Lab()) {
      lab.up();
      long pid = lab.daemonPid();
      for (String client : List.of("", "jvm")) {
        remove(lab, "run");
        assertThat(lab.runWith("GFLOW_CLIENT=" + client, "gbatch", "--hold", "true").code())
            .isZero();
      }
      assertThat(lab.jobs()).hasSize(2);
      assertThat(lab.daemonPid()).isEqualTo(pid);
    }
  }

  @Test
  void without_its_home_the_daemon_ends_and_jobs_go_on() {
    try (var lab = new Lab()) {
      lab.up();
      ProcessHandle daemon = lab.daemon().orElseThrow();
      Path word = lab.work().resolve("word");
      lab.submit("--wrap", "touch begun; until [ -e go ]; do sleep 0.1; done; echo well >word");
      lab.await("its start", () -> Files.exists(lab.work().resolve("begun")));
      remove(lab, "");
      lab.await("the end of the daemon", () -> !daemon.isAlive());
      lab.write(lab.work().resolve("go"), "");
      lab.await("what the job writes", () -> Lab.read(word).equals("well\n"));
      lab.await("its end", () -> lab.processes().isEmpty());
    }
  }

  @Test
  void rubbish_at_the_door_stops_no_start() throws IOException {
    try (var lab = new Lab()) {
      lab.up();
      Files.createDirectories(lab.home().resolve("run/door/a.9/x"));
      Lab.Said said = lab.run("gflowd", "restart");
      assertThat(said.code()).as(said.err()).isZero();
      assertThat(lab.ok("gqueue").err()).isEmpty();
      lab.daemonPid();
    }
  }

  @Test
  void a_restart_whose_start_fails_is_no_success() {
    try (var lab = new Lab()) {
      lab.up();
      lab.configure("[defaults]\ngrace = \"soon\"\n");
      Lab.Said said = lab.run("gflowd", "restart");
      assertThat(said.code()).isEqualTo(1);
      assertThat(said.err()).hasLineCount(1).contains("grace");
    }
  }

  @Test
  void a_database_that_has_lost_its_jobs_is_no_new_queue() throws IOException {
    try (var lab = new Lab()) {
      lab.up();
      lab.submit("--hold", "true");
      lab.ok("gflowd", "down");
      try (var files = Files.newDirectoryStream(lab.home(), "gflow.db{,-wal,-shm}")) {
        for (Path file : files) {
          Files.delete(file);
        }
      }
      Lab.Said said = lab.run("gflowd", "up");
      assertThat(said.code()).isEqualTo(1);
      assertThat(said.err()).hasLineCount(1).contains("has lost jobs", "rm " + lab.home());

      Files.delete(lab.home().resolve("gflow.db.next"));
      lab.up();
      assertThat(lab.submit("--hold", "true")).isEqualTo(1);
    }
  }

  @Test
  void a_home_that_is_not_absolute_is_refused() {
    try (var lab = new Lab()) {
      for (String command : List.of("gqueue", "gflowd up")) {
        Lab.Said said = lab.bash("GFLOW_HOME=here " + command);
        assertThat(said.code()).isEqualTo(2);
        assertThat(said.err()).hasLineCount(1).contains("GFLOW_HOME is no absolute path: 'here'");
      }
      assertThat(lab.work().resolve("here")).doesNotExist();
    }
  }

  @Test
  void a_client_of_its_own_waits_for_a_daemon_that_was_killed() throws Exception {
    try (var lab = new Lab()) {
      lab.up();
      long held = lab.submit("--hold", "true");
      Path go = lab.work().resolve("go");
      lab.set("GFLOW_CLIENT", "jvm");
      Process waits =
          lab.start("gbatch", "--wait", "--wrap", "until [ -e go ]; do sleep 0.1; done");
      lab.await("the job", () -> lab.jobs().size() == 2);
      lab.awaitState(held + 1, "RUNNING");
      lab.killOnlyDaemon();
      Lab.Said said = lab.run("gjob", "release", Long.toString(held));
      assertThat(said.code()).as(said.err()).isZero();
      lab.write(go, "");
      assertThat(waits.waitFor()).isZero();
    }
  }

  private static void remove(Lab lab, String name) {
    assertThat(lab.bash("rm -rf " + lab.home().resolve(name)).code()).isZero();
  }
}
