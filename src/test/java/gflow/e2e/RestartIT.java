package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.api.FollowingScreen;
import gflow.api.HttpGflow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What holds over the end of a daemon, however it ended, and the start of the next. */
class RestartIT {
  @Test
  void what_happened_while_there_was_no_daemon_is_as_if_there_had_been_one() {
    try (var lab = new Lab()) {
      lab.configure("[defaults]\ngrace = \"2s\"\n");
      lab.up();
      long overdue =
          lab.submit("--time", "2s", "--wrap", "trap 'echo polite; exit 1' TERM; sleep 600 & wait");
      // It ends well within its limit; that this passes before anybody looks changes nothing.
      long inTime = lab.submit("--time", "3s", "--wrap", "until [ -e go ]; do sleep 0.05; done");
      long failed = lab.submit("--wrap", "until [ -e go ]; do sleep 0.05; done; exit 6");
      long killed = lab.submit("--name", "dies", "--chdir", sub(lab, "dies"), "sleep", "600");
      for (long id : List.of(overdue, inTime, failed, killed)) {
        lab.awaitState(id, "RUNNING");
      }
      Instant limit = Instant.now().plusSeconds(3);
      lab.killDaemon();
      lab.write(lab.work().resolve("go"), "");
      Lab.processesIn(lab.work().resolve("dies"))
          .forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
      lab.await("ends", () -> Lab.processesIn(lab.work()).size() <= 3);
      Instant ended = Instant.now();
      lab.await("the time limit", () -> Instant.now().isAfter(limit));
      lab.up();
      lab.awaitState(overdue, "TIMEOUT");
      assertThat(lab.log(overdue)).contains("polite");
      lab.awaitState(inTime, "COMPLETED");
      lab.awaitState(failed, "FAILED");
      assertThat(String.valueOf(lab.job(failed).get("exit_code"))).isEqualTo("6");
      assertThat(time(lab, failed, "end_time")).isBeforeOrEqualTo(ended);
      lab.awaitState(killed, "FAILED");
      assertThat(String.valueOf(lab.job(killed).get("signal"))).isEqualTo("9");
    }
  }

  /** Both have a job 1, and a daemon that did not start it finds its processes by their marks. */
  @Test
  void a_daemon_never_takes_the_processes_of_another_home_for_its_own() {
    try (var lab = new Lab();
        var other = new Lab()) {
      for (Lab one : List.of(lab, other)) {
        one.up();
        one.submit("--wrap", "sleep 600 & sleep 600 & : >begun; wait");
        one.await("a job", () -> Files.exists(one.work().resolve("begun")));
      }
      List<Long> theirs = other.processesOfJobs();
      assertThat(theirs).hasSizeGreaterThan(2);
      lab.killDaemon();
      lab.up();
      lab.ok("gcancel", "1");
      lab.awaitState(1, "CANCELLED");

      assertThat(lab.processesOfJobs()).isEmpty();
      assertThat(other.processesOfJobs()).hasSameElementsAs(theirs);
      assertThat(other.state(1)).isEqualTo("RUNNING");
    }
  }

  private static String sub(Lab lab, String name) {
    Path folder = lab.work().resolve(name);
    folder.toFile().mkdirs();
    return folder.toString();
  }

  private static Instant time(Lab lab, long id, String field) {
    return OffsetDateTime.parse(String.valueOf(lab.job(id).get(field))).toInstant();
  }

  @Test
  void a_killed_daemon_is_started_again_and_one_that_was_told_to_end_is_not() {
    try (var lab = new Lab()) {
      lab.up();
      long first = lab.daemonPid();
      long waiting = lab.submit("--begin", "now+2s", "true");
      lab.killOnlyDaemon();
      // Nobody calls anything; its own log shows that the job's time came and it ran.
      lab.await("the next daemon", () -> lab.run("gqueue").code() == 0);
      lab.awaitState(waiting, "COMPLETED");
      assertThat(lab.daemonPid()).isNotEqualTo(first);
      assertThat(lab.daemonLog()).contains("(pid " + first + ") ended with code 137");
      // A start that fails is tried again too: the disk may have been full for a while.
      lab.configure("what = is this\n");
      lab.killOnlyDaemon();
      lab.await("a failed start", () -> lab.daemonLog().contains(") ended with code 1,"));
      lab.configure("");
      lab.await("the next daemon", () -> lab.daemon().isPresent());
      lab.daemon().orElseThrow().destroy();
      lab.await("the end of all", () -> lab.processes().isEmpty());
    }
  }

  @Test
  void a_screen_is_in_step_again_after_the_daemon_was_killed() {
    try (var lab = new Lab()) {
      lab.up();
      var gflow =
          new HttpGflow(
              Path.of(String.valueOf(lab.json("gflowd", "status", "--json").get("socket"))));
      var screen = new FollowingScreen(() -> gflow);
      screen.refresh();
      lab.submit("--gpus", "1", "--wrap", "sleep 600");
      screen.refresh();
      assertThat(screen.snapshots).isEqualTo(1);
      assertThat(screen.shown()).contains("RUNNING", "0 allocated");
      lab.killDaemon();
      lab.up();
      long waiting = lab.submit("--hold", "true");
      screen.refresh();
      assertThat(screen.snapshots).isEqualTo(2);
      assertThat(screen.shown()).contains("RUNNING", "0 allocated", waiting + " null PENDINGtrue");
    }
  }

  @Test
  void a_submission_starts_the_daemon_except_beside_a_real_slurm() {
    try (var lab = new Lab()) {
      lab.write(lab.work().resolve("bin/sbatch"), "").toFile().setExecutable(true);
      lab.set("PATH", lab.work().resolve("bin") + ":" + System.getenv("PATH"));
      lab.set("GFLOW_AUTOSTART", "");
      assertThat(lab.run("gbatch", "true").code()).isEqualTo(3);
      assertThat(lab.runWith("GFLOW_AUTOSTART=no", "gbatch", "true").code()).isEqualTo(3);
      assertThat(lab.run("gmap", "--dry-run", "true", ":::", "a").code()).isZero();
      assertThat(lab.run("gmap", "true", ":::", "a").code()).isEqualTo(3);
      assertThat(lab.daemon()).isEmpty();
      assertThat(lab.runWith("GFLOW_AUTOSTART=yes", "gbatch", "true").code()).isZero();
      lab.ok("gflowd", "down");
      assertThat(lab.runWith("GFLOW_AUTOSTART=yes", "gmap", "true", ":::", "a").code()).isZero();
      assertThat(lab.daemon()).isPresent();
    }
  }

  @Test
  void down_leaves_jobs_running_and_says_how_many_and_down_cancel_ends_them() {
    try (var lab = new Lab()) {
      lab.up();
      long one = lab.submit("--gpus", "1", "sleep", "600");
      long two = lab.submit("--gpus", "2", "sleep", "600");
      lab.awaitState(one, "RUNNING");
      lab.awaitState(two, "RUNNING");
      String gpus = String.valueOf(lab.job(two).get("gpu_ids"));
      assertThat(lab.ok("gflowd", "down").out()).isEqualTo("gflowd is down; 2 jobs go on\n");
      assertThat(lab.daemon()).isEmpty();
      assertThat(Lab.processesIn(lab.work())).isNotEmpty();
      assertThat(lab.run("gqueue").code()).isEqualTo(3);
      lab.up();
      lab.awaitState(two, "RUNNING");
      assertThat(String.valueOf(lab.job(two).get("gpu_ids"))).isEqualTo(gpus);
      assertThat(lab.ok("gflowd", "restart").out()).contains("2 jobs go on");
      lab.ok("gcancel", Long.toString(one));
      lab.awaitState(one, "CANCELLED");
      long waiting = lab.submit("--hold", "true");
      assertThat(lab.ok("gflowd", "down", "--cancel").out()).isEqualTo("gflowd is down\n");
      assertThat(Lab.processesIn(lab.work())).isEmpty();
      lab.up();
      assertThat(lab.state(two)).isEqualTo("CANCELLED");
      assertThat(lab.state(waiting)).isEqualTo("CANCELLED");
    }
  }

  @Test
  void after_a_reboot_jobs_have_failed_with_the_node_or_run_again() throws Exception {
    try (var lab = new Lab()) {
      lab.up();
      long lost = lab.submit("--gpus", "1", "sleep", "600");
      long again =
          lab.submit("--gpus", "1", "--requeue", "--wrap", "echo $GFLOW_RESTART_COUNT; sleep 600");
      long after = lab.submit("--dependency", "afternotok:" + lost, "true");
      lab.awaitState(lost, "RUNNING");
      lab.await("its first word", () -> lab.log(again).equals("0\n"));
      lab.killDaemon();
      reboot(lab);
      lab.up();
      lab.awaitState(lost, "NODE_FAIL");
      lab.await("its second word", () -> lab.log(again).equals("0\n1\n"));
      assertThat(lab.state(again)).isEqualTo("RUNNING");
      lab.awaitState(after, "COMPLETED");
    }
  }

  /** No process is left, and the records tell of another boot. */
  private static void reboot(Lab lab) throws Exception {
    lab.await(
        "the end of all processes",
        () -> {
          Lab.processesIn(lab.work())
              .forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
          return lab.processes().isEmpty();
        });
    String boot = Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
    try (Stream<Path> attempts = Files.list(lab.home().resolve("jobs"))) {
      for (Path attempt : attempts.toList()) {
        Path record = attempt.resolve("record");
        String start = Files.readString(record).lines().findFirst().orElseThrow();
        assertThat(start).contains(boot);
        Files.writeString(record, start.replace(boot, "another-boot") + "\n");
      }
    }
  }

  @Test
  void more_time_for_a_running_job_holds_after_a_restart() {
    try (var lab = new Lab()) {
      lab.up();
      long longer = lab.submit("--time", "2s", "sleep", "600");
      long shorter = lab.submit("--time", "1h", "sleep", "600");
      lab.awaitState(longer, "RUNNING");
      lab.ok("gjob", "update", Long.toString(longer), "--time", "+1h");
      lab.awaitState(shorter, "RUNNING");
      Instant limit = time(lab, longer, "start_time").plusSeconds(3);
      lab.killDaemon();
      lab.await("the first limit", () -> Instant.now().isAfter(limit));
      lab.up();
      assertThat(lab.state(longer)).isEqualTo("RUNNING");
      lab.ok("gjob", "update", Long.toString(shorter), "--time", "1s");
      lab.awaitState(shorter, "TIMEOUT");
      assertThat(lab.state(longer)).isEqualTo("RUNNING");
    }
  }

  @Test
  void what_was_said_before_holds_after_a_crash() {
    try (var lab = new Lab()) {
      lab.up();
      long parent = lab.submit("--gpus", "1", "sleep", "600");
      lab.awaitState(parent, "RUNNING");
      long held = lab.submit("--hold", "true");
      long child = lab.submit("--dependency", "afterany:" + parent, "true");
      long never = lab.submit("--dependency", "afterok:" + parent, "true");
      long later = lab.submit("--begin", "now+1hour", "true");
      lab.ok("gctl", "drain", "3", "--reason", "fan is broken");
      lab.ok("gctl", "set-limit", "user:" + System.getProperty("user.name"), "2");
      long wide = lab.submit("--gpus", "3", "true");
      String before = lab.ok("gqueue", "-h", "-o", "%i %T %r").out();
      String machine = lab.ok("ginfo").out();
      assertThat(machine).contains("fan is broken");
      lab.killDaemon();
      lab.up();
      assertThat(lab.ok("gqueue", "-h", "-o", "%i %T %r").out()).isEqualTo(before);
      assertThat(lab.ok("ginfo").out()).isEqualTo(machine);
      long first = lab.submit("--cpus-per-task", "1", "sleep", "600");
      long second = lab.submit("--cpus-per-task", "1", "sleep", "600");
      lab.awaitState(first, "RUNNING");
      assertThat(lab.state(second)).as("the limit of two").isEqualTo("PENDING");
      lab.ok("gcancel", Long.toString(first), Long.toString(second));
      lab.ok("gcancel", Long.toString(parent));
      lab.awaitState(child, "COMPLETED");
      lab.awaitState(never, "CANCELLED");
      assertThat(lab.state(held)).isEqualTo("PENDING");
      lab.ok("gjob", "release", Long.toString(held));
      lab.awaitState(held, "COMPLETED");
      lab.awaitState(wide, "COMPLETED");
      assertThat(lab.state(later)).isEqualTo("PENDING");
    }
  }

  @Test
  void nothing_starts_while_the_operator_has_paused_it_also_after_a_reboot() {
    try (var lab = new Lab()) {
      lab.up();
      long runs = lab.submit("sh", "-c", "until [ -e go ]; do sleep 0.05; done");
      lab.awaitState(runs, "RUNNING");
      assertThat(lab.ok("gctl", "pause", "--reason", "for a reboot").out())
          .contains("nothing starts until gctl resume");
      long waits = lab.submit("--gpus", "1", "true");
      lab.killDaemon();
      lab.up();
      lab.write(lab.work().resolve("go"), "");
      lab.awaitState(runs, "COMPLETED");

      assertThat(lab.ok("gqueue", "-h", "-o", "%T %r", "-j", "" + waits).out())
          .isEqualTo("PENDING PartitionDown: paused for a reboot\n");
      assertThat(lab.ok("gflowd", "status").out()).contains("paused for a reboot", "; gctl resume");
      lab.ok("gctl", "resume");
      lab.awaitState(waits, "COMPLETED");
      lab.ok("gctl", "drain", "all");
      assertThat(lab.ok("ginfo").out().split("drained", -1)).hasSize(5);
      lab.ok("gctl", "undrain", "all");
      lab.awaitState(lab.submit("--gpus", "4", "true"), "COMPLETED");
    }
  }
}
