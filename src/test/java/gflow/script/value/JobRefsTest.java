package gflow.script.value;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.script.Refusal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobRefsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "42|[42]",
        "42_7|[42_7]",
        "42_[1-3,5]|[42_1, 42_2, 42_3, 42_5]",
        "42_[1-4%2]|[42_1, 42_2, 42_3, 42_4]",
        "1,2,3|[1, 2, 3]",
        "3-5,4,1|[3, 4, 5, 1]",
        "@|[@]",
        "@_5|[@_5]",
        "@_[1-2],@|[@_1, @_2, @]",
        "@,7,42_[0,9],8|[@, 7, 42_0, 42_9, 8]",
      })
  void a_list_of_jobs_is_read(String text, String refs) throws BadInput {
    assertThat(JobRefs.list(text)).hasToString(refs);
  }

  @Test
  void words_are_joined_and_each_job_comes_once() throws BadInput {
    assertThat(JobRefs.all(List.of("1-2", "2", "3"))).hasToString("[1, 2, 3]");
  }

  @Test
  void one_job_is_read_as_what_it_is() throws BadInput {
    assertThat(JobRefs.one("42")).isEqualTo(new JobRef.ById(new JobId(42)));
    assertThat(JobRefs.one("42_7")).isEqualTo(new JobRef.ArrayTask(new JobId(42), 7));
    assertThat(JobRefs.one("@")).isEqualTo(new JobRef.Last());
    assertThat(JobRefs.one("@_7")).isEqualTo(new JobRef.LastTask(7));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "-1",
        "1.0",
        "42_",
        "42_x",
        "1_2_3",
        "@1",
        "@_",
        "@_x",
        "@-3",
        "99999999999999999999"
      })
  void what_names_no_job_is_refused(String text) {
    Refusal.of(
        () -> JobRefs.list(text), "job id '" + text + "' is not understood; write 42, 42_7 or @");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0|job id '0': ids start at 1",
        "5-1|job ids '5-1' go down from 5 to 1",
        "1-100001|job ids '1-100001' are more than 100000; name fewer at a time",
        "1-60000,100001-160000|job ids '1-60000,100001-160000' are more than 100000;"
            + " name fewer at a time",
        "7_[a]|array 'a' is not understood; write 0-31, 1,5,7, 0-30:2 or 0-99%4",
      })
  void wrong_lists_are_refused(String text, String line) {
    Refusal.of(() -> JobRefs.list(text), line);
  }
}
