package gflow.daemon.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.daemon.Specs;
import gflow.job.Dependencies;
import gflow.job.GpuFilter;
import gflow.job.GpuRequest;
import gflow.job.JobSpec;
import gflow.job.Ranges;
import gflow.job.Request;
import gflow.job.RetryOn;
import gflow.script.value.BadInput;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpecEditsTest {
  private static JobSpec edit(JobSpec spec, String option, String value) throws BadInput {
    return SpecEdits.apply(spec, new TreeMap<>(Map.of(option, value)), Specs.T0, ZoneOffset.UTC);
  }

  private static JobSpec edit(String option, String value) throws BadInput {
    return edit(Specs.gpus(1), option, value);
  }

  @ParameterizedTest
  @CsvSource({"4:00:00,PT4H", "+30m,PT2H30M", "-90m,PT30M", "unlimited,"})
  void the_time_limit_is_set_or_moved(String value, Duration limit) throws BadInput {
    assertThat(edit("time", value).terms().timeLimit()).isEqualTo(Optional.ofNullable(limit));
  }

  @Test
  void time_upon_time_has_an_end() throws BadInput {
    var longest = edit("time", "3650d");
    assertThatThrownBy(() -> edit(longest, "time", "+1m"))
        .hasMessage("that would be more than 3650 days; write unlimited for no limit");
  }

  @Test
  void an_endless_job_stays_endless_if_it_gets_more_time() throws BadInput {
    assertThat(edit(edit("time", "0"), "time", "+1h").terms().timeLimit()).isEmpty();
  }

  @Test
  void terms_change_one_by_one() throws BadInput {
    assertThat(edit("priority", "255").terms().priority()).isEqualTo(255);
    assertThat(edit("retries", "3").terms().retries()).isEqualTo(3);
    assertThat(edit("retry-on", "oom,fail").terms().retryOn())
        .containsExactly(RetryOn.FAIL, RetryOn.OOM);
    assertThat(edit("begin", "2026-03-02T08:00").terms().begin())
        .contains(Specs.T0.plus(Duration.ofHours(20)));
    assertThat(edit("dependency", "afterok:41?afterany:42").terms().dependencies().any()).isTrue();
    assertThat(edit("dependency", "afterok:41").terms().dependencies().list()).hasSize(1);
    JobSpec all =
        SpecEdits.apply(
            Specs.gpus(1),
            new TreeMap<>(Map.of("priority", "9", "retries", "2", "time", "5")),
            Specs.T0,
            ZoneOffset.UTC);
    assertThat(all.terms().priority()).isEqualTo(9);
    assertThat(all.terms().retries()).isEqualTo(2);
    assertThat(all.terms().timeLimit()).contains(Duration.ofMinutes(5));
  }

  @Test
  void names_labels_and_limits_change() throws BadInput {
    assertThat(edit("name", "new").name()).isEqualTo("new");
    JobSpec labelled = edit(edit("project", "p"), "comment", "c");
    assertThat(labelled.labels()).containsEntry("project", "p").containsEntry("comment", "c");
    assertThat(edit(labelled, "project", "").labels()).containsOnlyKeys("comment");
    JobSpec array = Specs.array(Ranges.of(0, 9), 0);
    assertThat(edit(array, "max-concurrent", "2").tasks().limit()).isEqualTo(2);
    assertThat(edit(array, "max-concurrent", "2").tasks().count()).isEqualTo(10);
  }

  @Test
  void the_request_changes_and_without_gpus_it_names_none() throws BadInput {
    var filter = new GpuFilter(Optional.of("a100"), List.of(), List.of());
    JobSpec typed =
        Specs.gpus(1).withRequest(new Request(1, 2, 0, new GpuRequest.Whole(1), filter));
    assertThat(edit(typed, "gpus", "3").request())
        .isEqualTo(new Request(1, 2, 0, new GpuRequest.Whole(3), filter));
    assertThat(edit(typed, "gpus", "0").request())
        .isEqualTo(new Request(1, 2, 0, new GpuRequest.None(), GpuFilter.ANY));
    assertThat(edit(typed, "mem", "4G").request().memory()).isEqualTo(4L << 30);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "time|-2h|that would leave no time at all",
        "time|soon|time 'soon' is not understood",
        "priority|256|--priority takes a whole number from 0 to 255, not 256",
        "priority|high|--priority takes a whole number from 0 to 255, not high",
        "retries|-1|--retries takes a whole number from 0 to 1000, not -1",
        "gpus|0.5|--gpus takes a whole number from 0 to 1024, not 0.5",
        "mem|lots|size 'lots' is not understood",
        "begin|never|never",
        "dependency|after:x|x",
        "user|bob|user cannot be changed; these can: time, priority",
      })
  void what_is_wrong_is_said(String option, String value, String line) {
    assertThatThrownBy(() -> edit(option, value))
        .isInstanceOf(BadInput.class)
        .hasMessageContaining(line);
  }

  @Test
  void a_second_run_waits_for_nothing_that_the_first_waited_for() throws BadInput {
    JobSpec spec = edit(edit("begin", "2026-03-02"), "dependency", "afterok:41");
    JobSpec again = spec.withTerms(spec.terms().again());
    assertThat(again.terms().dependencies()).isEqualTo(Dependencies.NONE);
    assertThat(again.terms().begin()).isEmpty();
    assertThat(again.terms().timeLimit()).isEqualTo(spec.terms().timeLimit());
  }

  @Test
  void only_some_tasks_keep_their_indices() {
    JobSpec array = Specs.array(Ranges.ofAll(List.of(3, 5, 7, 9)), 2);
    JobSpec some = SpecEdits.onlyTasks(array, Ranges.ofAll(List.of(1, 3)));
    assertThat(some.tasks().array()).contains(Ranges.ofAll(List.of(5, 9)));
    assertThat(some.tasks().limit()).isEqualTo(2);
    assertThat(SpecEdits.onlyTasks(Specs.gpus(1), Ranges.of(0, 0))).isEqualTo(Specs.gpus(1));
  }
}
