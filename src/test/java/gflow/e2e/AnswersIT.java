package gflow.e2e;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the real service says: golden files show how commands print what a fake one said. */
class AnswersIT {
  private static Lab lab;

  @BeforeAll
  static void start() {
    lab = new Lab();
    lab.up();
  }

  @AfterAll
  static void end() {
    lab.close();
  }

  @Test
  void a_job_that_there_is_not_cannot_be_cancelled() {
    Lab.Said said = lab.run("gcancel", "99999");
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.out()).isEmpty();
    assertThat(said.err()).isEqualTo("gcancel: there is no job 99999\n");

    said = lab.run("gcancel", "--name", "nosuch");
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.err())
        .isEqualTo("gcancel: no job fits, so nothing was done; gqueue lists what waits and runs\n");

    long held = lab.submit("--hold", "true");
    said = lab.run("gcancel", "99998", Long.toString(held));
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.out()).isEqualTo("job " + held + " cancelled\n");
    assertThat(said.err()).isEqualTo("gcancel: there is no job 99998\n");
  }

  @Test
  void the_doctor_looks_at_the_daemon_too() {
    Lab.Said said = lab.run("gflow", "doctor");
    assertThat(said.err()).isEmpty();
    assertThat(said.out()).containsPattern("(?m)^daemon +ok +gflowd .*, pid \\d+$");
    assertThat(lab.run("gflow", "doctor", "--nope").code()).isEqualTo(2);
  }

  @Test
  void gctl_says_what_it_did() {
    assertThat(lab.ok("gctl", "drain", "1").out())
        .isEqualTo("GPU 1 is drained: what runs there goes on, nothing new starts\n");
    assertThat(lab.ok("gctl", "undrain", "1").out()).isEqualTo("GPU 1 is in use again\n");
    assertThat(lab.ok("gctl", "set-gpus", "0-2").out()).isEqualTo("new jobs get only GPUs 0,1,2\n");
    assertThat(lab.ok("gctl", "set-gpus", "all").out()).isEqualTo("new jobs get all GPUs\n");
    assertThat(lab.ok("gctl", "set-limit", "user:ann", "2").out())
        .isEqualTo("user ann: at most 2 tasks at a time\n");
    assertThat(lab.ok("gctl", "ignore", "--command", "Xorg").out())
        .isEqualTo("command Xorg is ignored on GPUs\n");
    assertThat(lab.ok("gctl", "prune", "--older-than", "9999d").out())
        .isEqualTo("0 ended jobs forgotten\n");
  }

  @Test
  void total_counts_what_was_asked_for() {
    for (int i = 0; i < 3; i++) {
      lab.submit("--hold", "--name", "few", "true");
    }
    lab.submit("--hold", "--name", "few", "--array", "0-9", "true");
    lab.submit("--hold", "--name", "others", "true");
    assertThat(total("gqueue", "--json", "--name", "few", "--limit", "2")).isEqualTo(4L);
    assertThat(total("gqueue", "--json", "--name", "few", "-s", "H", "--limit", "1")).isEqualTo(4L);
    assertThat(total("gqueue", "--json", "--name", "few", "-s", "R")).isZero();
    lab.ok("gcancel", "--name", "few");
    assertThat(total("gqueue", "--json", "-s", "all", "--name", "few", "--limit", "2"))
        .isEqualTo(4L);
    lab.ok("gcancel", "--name", "others");
  }

  private static long total(String... words) {
    return (long) lab.json(words).get("total");
  }

  @Test
  void a_job_that_failed_says_why() {
    long code = lab.submit("--wrap", "exit 3");
    long signal = lab.submit("--wrap", "kill -SEGV $$");
    long late = lab.submit("--time", "1s", "sleep", "600");
    lab.awaitState(code, "FAILED");
    lab.awaitState(signal, "FAILED");
    lab.awaitState(late, "TIMEOUT");

    assertThat(reason(code)).endsWith("(NonZeroExitCode: 3)");
    assertThat(reason(signal)).endsWith("(RaisedSignal: 11)");
    assertThat(reason(late)).endsWith("(TimeLimit)");
    assertThat(lab.ok("gjob", "show", Long.toString(code)).out())
        .contains("Reason=NonZeroExitCode: 3");
  }

  private static String reason(long job) {
    return lab.ok("gqueue", "-h", "-j", Long.toString(job)).out().strip();
  }

  @Test
  void a_program_that_there_is_not_is_said_before_it_waits() {
    Lab.Said said = lab.run("gbatch", "slepe", "1");
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.err())
        .isEqualTo("gbatch: there is no program slepe on PATH; did you mean sleep?\n");
    assertThat(lab.runWith("GFLOW_CLIENT=jvm", "gbatch", "slepe", "1").err()).isEqualTo(said.err());
    assertThat(lab.run("gbatch", "sleep 1").err())
        .isEqualTo(
            "gbatch: there is no program 'sleep 1'; write gbatch sleep 1, or --wrap 'sleep 1'\n");
    long held = lab.submit("--hold", "made-by-then");
    lab.ok("gcancel", Long.toString(held));
  }

  @Test
  void few_items_have_a_gpu_each_before_they_share_one() {
    lab.ok(
        "gmap",
        "--per-gpu",
        "8",
        "--results",
        "spread",
        "--no-append",
        "--range",
        "1-7",
        "sleep",
        "0.5");
    assertThat(gpus("spread")).isEqualTo(Set.of("0", "1", "2", "3"));
    lab.ok(
        "gmap",
        "--static",
        "--per-gpu",
        "8",
        "--results",
        "fixed",
        "--no-append",
        "--range",
        "1-7",
        "true");
    assertThat(gpus("fixed")).isEqualTo(Set.of("0", "1", "2", "3"));
  }

  private static Set<String> gpus(String folder) {
    return List.copyOf(lab.results(folder).values()).stream()
        .map((Map<String, Object> line) -> String.valueOf(line.get("gpu")))
        .collect(toSet());
  }
}
