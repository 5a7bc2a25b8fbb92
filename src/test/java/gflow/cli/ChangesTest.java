package gflow.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChangesTest {
  @TempDir Path folder;
  private final FakeGflow gflow = new FakeGflow();

  private void run(String line) {
    new Transcript(folder, () -> gflow).run(line, gflow);
  }

  @Test
  void all_jobs_go_in_one_request() {
    run("gcancel 42 43-44");

    assertThat(gflow.asked)
        .containsExactly(
            "cancel Selection[jobs=[42, 43, 44], states=[], users=[], names=[], all=false]");
  }

  @Test
  void one_that_is_refused_does_not_keep_the_others_from_it() {
    run("gcancel 42 99");

    assertThat(gflow.asked)
        .hasSize(3)
        .contains("cancel Selection[jobs=[42], states=[], users=[], names=[], all=false]");
  }

  @Test
  void filters_are_sent_as_they_are() {
    run("gcancel --state PENDING,R --user bob --me -n train,eval");

    assertThat(gflow.asked)
        .containsExactly(
            "cancel Selection[jobs=[], states=[PENDING, RUNNING], users=[bob, alice],"
                + " names=[train, eval], all=false]");
  }

  @Test
  void held_jobs_alone_are_looked_up_because_the_service_does_not_tell_them_apart() {
    run("gcancel --state H");

    assertThat(gflow.asked)
        .containsExactly("cancel Selection[jobs=[44], states=[], users=[], names=[], all=false]");
  }

  @Test
  void waiting_tasks_of_an_array_are_cancelled_without_those_that_run() {
    run("gcancel --state Queued --name sweep");

    assertThat(gflow.asked.getFirst()).contains("jobs=[63_0, 63_5, 63_9, 63_10, 63_11, 63_12]");
  }
}
