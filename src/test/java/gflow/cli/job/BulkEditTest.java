package gflow.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.api.ApiRequest;
import gflow.api.Gflow.Selection;
import gflow.cli.AtTheLab;
import gflow.job.JobRef;
import gflow.job.JobState;
import gflow.script.value.BadInput;
import gflow.script.value.JobRefs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BulkEditTest extends AtTheLab {
  private static final Set<JobState> WAITING = Set.of(JobState.PENDING);

  private static List<JobRef> refs(String... jobs) throws BadInput {
    var all = new ArrayList<JobRef>();
    for (String job : jobs) {
      all.add(JobRefs.one(job));
    }
    return all;
  }

  private static ApiRequest.Cancel cancel(
      List<JobRef> jobs,
      Set<JobState> states,
      Optional<Boolean> held,
      List<String> users,
      List<String> names) {
    return new ApiRequest.Cancel(new Selection(jobs, states, held, users, names, false));
  }

  @Test
  void all_jobs_go_in_one_request() throws BadInput {
    run("gcancel 42 43-44");

    assertThat(gflow.asked)
        .containsExactly(new ApiRequest.Cancel(Selection.of(refs("42", "43", "44"))));
  }

  @Test
  void one_that_is_refused_does_not_keep_the_others_from_it() {
    var result = run("gjob hold 43 99");

    assertThat(result.out.toString()).isEqualTo("job 43 held\n");
    assertThat(result.err.toString())
        .isEqualTo("gjob hold: there is no job 99 (gqueue -s all lists those that ended)\n");
    assertThat(result.exitCode).isEqualTo(1);
  }

  @Test
  void who_cancels_a_job_that_there_is_not_hears_it_as_an_error() {
    var result = run("gcancel 42 300-310");

    assertThat(result.out.toString()).isEqualTo("job 42 cancelled\n");
    assertThat(result.err.toString())
        .isEqualTo("gcancel: there is no job 300, 301, 302, 303, 304, 305, 306, 307 and 3 more\n");
    assertThat(result.exitCode).isEqualTo(1);
  }

  @Test
  void a_filter_that_fits_no_job_is_an_error_too() {
    var result = run("gcancel --name nosuch");

    assertThat(result.err.toString())
        .isEqualTo("gcancel: no job fits, so nothing was done; gqueue lists what waits and runs\n");
    assertThat(result.exitCode).isEqualTo(1);
  }

  @Test
  void filters_are_sent_as_they_are() {
    run("gcancel --state PENDING,R --user bob --me -n train,eval");

    assertThat(gflow.asked)
        .containsExactly(
            cancel(
                List.of(),
                Set.of(JobState.PENDING, JobState.RUNNING),
                Optional.empty(),
                List.of("bob", "alice"),
                List.of("train", "eval")));
  }

  @Test
  void what_is_changed_is_said_once_for_all_jobs() throws BadInput {
    run("gjob update 43,45 --priority 200 --name other --mem 8G");
    run("gjob update 42 --time +2h");
    run("gjob release 44 --at 16:00");

    var options = new TreeMap<>(Map.of("mem", "8G", "name", "other", "priority", "200"));
    assertThat(gflow.changes())
        .containsExactly(
            new ApiRequest.Update(refs("43", "45"), options, Optional.of("boot-4711-99")),
            new ApiRequest.Update(
                refs("42"), new TreeMap<>(Map.of("time", "+2h")), Optional.of("boot-4711-100")),
            new ApiRequest.Release(refs("44"), Optional.of(Instant.parse("2026-11-15T15:00:00Z"))));
  }

  @Test
  void held_jobs_alone_or_those_that_only_wait_are_one_request() {
    run("gcancel --state H");
    run("gcancel --state Queued --name sweep");

    assertThat(gflow.asked)
        .containsExactly(
            cancel(List.of(), WAITING, Optional.of(true), List.of(), List.of()),
            cancel(List.of(), WAITING, Optional.of(false), List.of(), List.of("sweep")));
  }

  @Test
  void scancel_cancels_what_waits_of_an_array_as_one_and_signals_none_of_it() throws BadInput {
    run("scancel -t PENDING -n sweep");
    assertThat(gflow.asked)
        .contains(cancel(refs("63"), WAITING, Optional.of(false), List.of(), List.of()));

    gflow.asked.clear();
    run("scancel -t PENDING -n sweep -s USR1");
    assertThat(gflow.asked).noneMatch(asked -> asked instanceof ApiRequest.Signal);
  }
}
