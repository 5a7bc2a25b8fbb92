package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A daemon that may open hardly more files than it has open starts what it can, and waits. */
class NoDescriptorsIT {
  private static final int JOBS = 60;

  @Test
  void no_job_fails_because_the_daemon_has_few_descriptors() {
    try (var lab = new Lab("GFLOW_CPUS=60")) {
      assertThat(lab.bash("ulimit -n 48; gflowd up").code()).isZero();
      var ids = new ArrayList<Long>();
      for (int i = 0; i < JOBS; i++) {
        ids.add(
            lab.submit("--hold", "--wrap", "echo ran >>ran; until [ -e go ]; do sleep 0.1; done"));
      }
      lab.ok("gjob", "release", ids.getFirst() + "-" + ids.getLast());
      lab.ok("gqueue");
      lab.write(lab.work().resolve("go"), "");
      checkAllRan(lab, ids);
    }
  }

  /** Not one is left: nothing starts, and nobody is answered, until that has passed. */
  @Test
  void no_job_fails_while_the_daemon_has_no_descriptor_at_all() throws Exception {
    try (var lab = new Lab()) {
      lab.up();
      var ids = new ArrayList<Long>();
      for (int i = 0; i < JOBS; i++) {
        ids.add(lab.submit("--hold", "--wrap", "echo ran >>ran; sleep 0.2"));
      }
      long daemon = lab.daemonPid();
      lab.start("gjob", "release", ids.getFirst() + "-" + ids.getLast());
      lab.await("starts", () -> lab.work().resolve("ran").toFile().exists());
      limit(daemon, 20);
      Process asked = lab.start("gqueue");
      Thread.sleep(1000);
      limit(daemon, 4096);

      assertThat(asked.waitFor(60, TimeUnit.SECONDS)).as("gqueue was answered").isTrue();
      assertThat(asked.exitValue()).isZero();
      checkAllRan(lab, ids);
    }
  }

  private static void checkAllRan(Lab lab, Iterable<Long> ids) {
    lab.awaitIdle();
    for (long id : ids) {
      assertThat(lab.job(id)).as("job " + id).containsEntry("state", "COMPLETED");
    }
    assertThat(Lab.read(lab.work().resolve("ran")).lines()).hasSize(JOBS);
  }

  private static void limit(long pid, int files) throws Exception {
    var prlimit = new ProcessBuilder("prlimit", "--pid", "" + pid, "--nofile=" + files + ":");
    assertThat(prlimit.inheritIO().start().waitFor()).isZero();
  }
}
