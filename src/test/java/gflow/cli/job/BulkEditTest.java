package gflow.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.cli.FakeGflow;
import gflow.cli.Transcript;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BulkEditTest {
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
            "cancel Selection[jobs=[42, 43, 44], states=[], held=Optional.empty, users=[],"
                + " names=[], all=false]");
  }

  @Test
  void one_that_is_refused_does_not_keep_the_others_from_it() {
    var result = new Transcript(folder, () -> gflow).run("gjob hold 42 99", gflow);

    assertThat(result.out.toString()).isEqualTo("job 42 held\n");
    assertThat(result.err.toString()).isEqualTo("gjob hold: there is no job 99\n");
    assertThat(result.exitCode).isEqualTo(1);
  }

  @Test
  void who_cancels_a_job_that_there_is_not_hears_it_as_an_error() {
    var result = new Transcript(folder, () -> gflow).run("gcancel 42 300-310", gflow);

    assertThat(result.out.toString()).isEqualTo("job 42 cancelled\n");
    assertThat(result.err.toString())
        .isEqualTo("gcancel: there is no job 300, 301, 302, 303, 304, 305, 306, 307 and 3 more\n");
    assertThat(result.exitCode).isEqualTo(1);
  }

  @Test
  void a_filter_that_fits_no_job_is_an_error_too() {
    var result = new Transcript(folder, () -> gflow).run("gcancel --name nosuch", gflow);

    assertThat(result.err.toString())
        .isEqualTo("gcancel: no job fits, so nothing was done; gqueue lists what waits and runs\n");
    assertThat(result.exitCode).isEqualTo(1);
  }

  @Test
  void filters_are_sent_as_they_are() {
    run("gcancel --state PENDING,R --user bob --me -n train,eval");

    assertThat(gflow.asked)
        .containsExactly(
            "cancel Selection[jobs=[], states=[PENDING, RUNNING],"
                + " held=Optional.empty, users=[bob, alice], names=[train, eval], all=false]");
  }

  @Test
  void held_jobs_alone_or_those_that_only_wait_are_one_request() {
    run("gcancel --state H");
    run("gcancel --state Queued --name sweep");

    assertThat(gflow.asked)
        .containsExactly(
            "cancel Selection[jobs=[], states=[PENDING], held=Optional[true], users=[], names=[],"
                + " all=false]",
            "cancel Selection[jobs=[], states=[PENDING], held=Optional[false], users=[],"
                + " names=[sweep], all=false]");
  }

  @Test
  void scancel_cancels_what_waits_of_an_array_as_one_and_signals_none_of_it() {
    run("scancel -t PENDING -n sweep");
    assertThat(gflow.asked)
        .contains(
            "cancel Selection[jobs=[63], states=[PENDING], held=Optional[false], users=[],"
                + " names=[], all=false]");

    gflow.asked.clear();
    run("scancel -t PENDING -n sweep -s USR1");
    assertThat(gflow.asked).noneMatch(asked -> asked.startsWith("signal"));
  }
}
