package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where nothing can be written: refused with the reason, and nothing acknowledged is lost. */
class FullDiskIT {
  private static final int NOBODY = 65534;
  private static final String SMALL = "GFLOW_JAVA_OPTIONS=-Dgflow.store.maxPages=150";

  @Test
  void a_full_store_refuses_and_loses_nothing() {
    try (var lab = new Lab()) {
      assertThat(lab.runWith(SMALL, "gflowd", "up").code()).isZero();
      Path go = lab.work().resolve("go");
      long running = lab.submit("--wrap", "until [ -e " + go + " ]; do sleep 0.05; done; exit 5");
      lab.awaitState(running, "RUNNING");
      var acknowledged = new ArrayList<>(List.of(running));
      Lab.Said refused = fill(lab, acknowledged);
      assertThat(refused.code()).isEqualTo(1);
      assertThat(refused.out()).isEmpty();
      assertThat(refused.err().lines()).hasSize(1);
      assertThat(refused.err()).contains("the disk is full");
      checkThere(lab, acknowledged);

      lab.write(go, "");
      lab.await("the end of the program", () -> Lab.processesIn(lab.work()).isEmpty());
      checkThere(lab, acknowledged);
      assertThat(lab.run("gflowd", "status").code()).as("the daemon lives").isZero();

      lab.ok("gflowd", "restart");
      lab.awaitState(running, "FAILED");
      assertThat(String.valueOf(lab.job(running).get("exit_code"))).isEqualTo("5");
      checkThere(lab, acknowledged);
      long next = lab.submit("true");
      assertThat(acknowledged).doesNotContain(next);
      lab.awaitState(next, "COMPLETED");
    }
  }

  /** Submits large scripts until one is refused. */
  private static Lab.Said fill(Lab lab, List<Long> acknowledged) {
    for (int i = 0; i < 100; i++) {
      String text = "#!/bin/sh\n# " + i + "x".repeat(30_000) + "\n";
      lab.write(lab.work().resolve("large.sh"), text);
      Lab.Said said = lab.run("gbatch", "--hold", "large.sh");
      if (said.code() != 0) {
        return said;
      }
      acknowledged.add(said.id());
    }
    throw new AssertionError("the store was never full");
  }

  private static void checkThere(Lab lab, List<Long> acknowledged) {
    assertThat(lab.jobs().stream().map(j -> ((Number) j.get("job_id")).longValue()))
        .containsExactlyInAnyOrderElementsOf(acknowledged);
  }

  @Test
  void room_that_comes_back_is_used_without_a_restart() {
    try (var lab = new Lab()) {
      assertThat(lab.runWith(SMALL, "gflowd", "up").code()).isZero();
      long quick = lab.submit("--wrap", "exit 3");
      lab.awaitState(quick, "FAILED");
      var acknowledged = new ArrayList<Long>();
      fill(lab, acknowledged);
      for (long id : acknowledged) {
        lab.ok("gcancel", Long.toString(id));
      }
      lab.ok("gctl", "prune", "--older-than", "0s");
      long next = lab.submit("--wrap", "exit 4");
      lab.awaitState(next, "FAILED");
    }
  }

  @Test
  void a_job_that_writes_to_a_full_disk_harms_only_itself() {
    try (var lab = new Lab()) {
      lab.up();
      long full = lab.submit("--output", "/dev/full", "--wrap", "echo hello || exit 9");
      lab.awaitState(full, "FAILED");
      assertThat(String.valueOf(lab.job(full).get("exit_code"))).isEqualTo("9");
      assertThat(lab.bash("gqueue -s all >/dev/full").code()).isEqualTo(1);
      assertThat(lab.bash("gbatch true >/dev/full").code()).isEqualTo(1);
      assertThat(lab.bash("GFLOW_CLIENT=jvm gqueue -s all >/dev/full").code()).isEqualTo(1);
      long next = lab.submit("true");
      assertThat(next).isEqualTo(full + 2);
      lab.awaitState(next, "COMPLETED");
    }
  }

  @Test
  void a_log_folder_that_cannot_be_written_is_refused_with_its_name() throws Exception {
    Programs.assumeUsableBy(NOBODY);
    try (var lab = Lab.ofUser(NOBODY)) {
      lab.up();
      Lab.Said said = lab.run("gbatch", "--output", "/proc/out.log", "true");
      assertThat(said.code()).isEqualTo(1);
      assertThat(said.err()).contains("/proc").hasLineCount(1);

      long held = lab.submit("--hold", "true");
      Path logs = lab.home().resolve("logs");
      mode(logs, "r-x------");
      said = lab.run("gbatch", "true");
      assertThat(said.code()).isEqualTo(1);
      assertThat(said.err()).contains(logs.toString()).hasLineCount(1);

      lab.ok("gjob", "release", Long.toString(held));
      lab.awaitState(held, "FAILED");
      assertThat(String.valueOf(lab.job(held).get("reason"))).contains(logs.toString());

      mode(logs, "rwx------");
      lab.awaitState(lab.submit("true"), "COMPLETED");
      assertThat(lab.jobs()).hasSize(2);
    }
  }

  private static void mode(Path path, String mode) throws Exception {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }

  /** A disk of its own: SQLite's own bound is another thing than a file that cannot grow. */
  @Test
  void jobs_can_be_cancelled_though_the_disk_is_full() throws Exception {
    try (var lab = new Lab()) {
      Path disk = Files.createDirectories(lab.home());
      Lab.Said mounted =
          lab.run("mount", "-t", "tmpfs", "-o", "size=128m", "none", disk.toString());
      assumeTrue(mounted.code() == 0, "only root may mount: " + mounted.err());
      try {
        lab.configure("[disk]\nfloor = \"0\"\n");
        lab.up();
        Path reserve = disk.resolve("gflow.db.reserve");
        lab.await("the reserve", () -> Files.exists(reserve));
        long running = lab.submit("sleep", "600");
        lab.awaitState(running, "RUNNING");
        long waiting = lab.submit("--hold", "true");
        lab.bash("cat /dev/zero >" + disk.resolve("full"));
        lab.await("what no longer fits", () -> lab.run("gbatch", "--hold", "true").code() != 0);

        Lab.Said said = lab.run("gcancel", Long.toString(waiting), Long.toString(running));
        assertThat(said.code()).as(said.err()).isZero();
        lab.awaitState(running, "CANCELLED");
        assertThat(lab.state(waiting)).isEqualTo("CANCELLED");
        Files.delete(disk.resolve("full"));
      } finally {
        lab.run("gflowd", "down", "--cancel");
        lab.run("umount", "-l", disk.toString());
      }
    }
  }
}
