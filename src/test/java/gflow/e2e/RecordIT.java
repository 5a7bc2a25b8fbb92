package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A job that does something to the record of its own attempt harms nobody, itself least of all. */
class RecordIT {
  private static final List<String> CHANGES =
      List.of(
          "rm $R",
          ": >$R",
          "echo rubbish >$R",
          "rm $R; mkfifo $R",
          "rm $R; mkdir $R",
          "ln -sf /dev/zero $R",
          "rm -rf ${R%/*}");

  private static String line(Lab lab, String change) {
    return "echo ran >>ran-$GFLOW_JOB_ID; R="
        + lab.home().resolve("jobs")
        + "/$GFLOW_JOB_ID.1/record; "
        + change
        + "; touch changed-$GFLOW_JOB_ID; until [ -e go ]; do sleep 0.05; done; exit 5";
  }

  @Test
  void it_ends_with_its_code_and_its_gpus_are_free() {
    try (var lab = new Lab()) {
      lab.up();
      lab.write(lab.work().resolve("go"), "");
      for (String change : CHANGES) {
        long id = lab.submit("--gpus", "4", "--wrap", line(lab, change));
        lab.awaitState(id, "FAILED");
        assertThat(String.valueOf(lab.job(id).get("exit_code"))).as(change).isEqualTo("5");
      }
      lab.awaitState(lab.submit("--gpus", "4", "true"), "COMPLETED");
    }
  }

  @Test
  void the_next_daemon_neither_runs_it_again_nor_keeps_its_gpus() {
    try (var lab = new Lab()) {
      lab.up();
      var ids = new ArrayList<Long>();
      for (String change : CHANGES) {
        ids.add(lab.submit("--gpus", "0.5", "--wrap", line(lab, change)));
      }
      ids.forEach(id -> lab.awaitState(id, "RUNNING"));
      lab.await(
          "changes",
          () -> ids.stream().allMatch(id -> lab.work().resolve("changed-" + id).toFile().exists()));
      lab.killDaemon();
      lab.up();
      lab.awaitState(lab.submit("true"), "COMPLETED");
      for (long id : ids) {
        assertThat(lab.state(id)).isEqualTo("RUNNING");
      }

      lab.write(lab.work().resolve("go"), "");
      lab.awaitState(lab.submit("--gpus", "4", "true"), "COMPLETED");
      for (int i = 0; i < ids.size(); i++) {
        long id = ids.get(i);
        boolean lost = lab.state(id).equals("NODE_FAIL");
        assertThat(lost || String.valueOf(lab.job(id).get("exit_code")).equals("5"))
            .as(CHANGES.get(i) + ": " + lab.job(id))
            .isTrue();
        assertThat(Lab.read(lab.work().resolve("ran-" + id))).isEqualTo("ran\n");
      }
    }
  }

  /** It ends while nobody looks. */
  @Test
  void one_that_ended_without_a_daemon_does_not_run_again() {
    try (var lab = new Lab()) {
      lab.up();
      var ids = new ArrayList<Long>();
      for (String change : CHANGES) {
        ids.add(lab.submit("--gpus", "0.5", "--wrap", line(lab, change)));
      }
      lab.await(
          "changes",
          () -> ids.stream().allMatch(id -> lab.work().resolve("changed-" + id).toFile().exists()));
      lab.killDaemon();
      lab.write(lab.work().resolve("go"), "");
      lab.await("ends", () -> lab.processesOfJobs().isEmpty());
      lab.up();
      lab.awaitState(lab.submit("--gpus", "4", "true"), "COMPLETED");
      for (long id : ids) {
        assertThat(lab.state(id)).isIn("FAILED", "NODE_FAIL");
        assertThat(Lab.read(lab.work().resolve("ran-" + id))).isEqualTo("ran\n");
      }
    }
  }
}
