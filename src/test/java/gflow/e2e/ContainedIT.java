package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Bugs, deaths and wanted ends of the daemon, and what people see of its problems. */
class ContainedIT {
  @Test
  void a_step_that_cannot_be_counted_gets_one_line_and_the_daemon_lives() {
    try (var lab = new Lab()) {
      lab.up();
      long daemon = lab.daemonPid();
      long job = lab.submit("--wrap", "srun -n 65536 -c 65536 true; echo code $?");
      lab.awaitState(job, "COMPLETED");

      assertThat(lab.log(job).lines().toList()).hasSize(2);
      assertThat(lab.log(job)).contains("code 1").doesNotContain("Exception", "at gflow");
      assertThat(lab.daemonPid()).isEqualTo(daemon);
    }
  }

  @Test
  void a_signal_ends_it_as_cleanly_as_gflowd_down() throws Exception {
    try (var lab = new Lab()) {
      lab.up();
      long job = lab.submit("--hold", "true");
      lab.daemon().orElseThrow().destroy();
      lab.await("the end of daemon and guard", () -> lab.processes().isEmpty());

      assertThat(lab.home().resolve("run/gflow.sock")).doesNotExist();
      try (Stream<Path> files = Files.list(lab.home())) {
        assertThat(files.map(f -> f.getFileName().toString()))
            .noneMatch(name -> name.endsWith("-wal"));
      }
      lab.up();
      assertThat(lab.state(job)).isEqualTo("PENDING");
    }
  }

  @Test
  void problems_are_seen_in_status_until_they_are_over() {
    try (var lab = new Lab()) {
      lab.configure("[disk]\nfloor = \"900T\"\n");
      lab.up();
      lab.await("the look at the disk", () -> status(lab).contains("nearly full"));
      lab.ok("gctl", "ignore", "--user", "nobody");
      lab.configure("[limits]\ntasks_per_user = 1\n");
      lab.ok("gflowd", "restart");
      assertThat(status(lab)).contains("Problems     none");
      long first = lab.submit("sleep", "600");
      long second = lab.submit("sleep", "600");
      lab.awaitState(first, "RUNNING");
      assertThat(lab.ok("gqueue", "-h", "-j", Long.toString(second), "-o", "%T %r").out())
          .as("the limit of gflow.toml after a gctl")
          .startsWith("PENDING ")
          .contains("Limit");
    }
  }

  private static String status(Lab lab) {
    return lab.ok("gflowd", "status").out();
  }
}
