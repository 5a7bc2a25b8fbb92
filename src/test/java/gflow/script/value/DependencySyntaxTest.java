package gflow.script.value;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Dependencies;
import gflow.script.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DependencySyntaxTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "42|afterok:42",
        "42,43|afterok:42,afterok:43",
        "@|afterok:@",
        "afterok:1:2,afterany:3|afterok:1,afterok:2,afterany:3",
        "afterok:1?afternotok:2|afterok:1?afternotok:2",
        "after:41+5|after:41+5",
        "AfterOK:42_7|afterok:42_7",
        "afterany:42_*|afterany:42",
        "singleton|singleton",
        "afterany:@,singleton|afterany:@,singleton",
      })
  void a_list_is_read_and_written_back(String text, String written) throws BadInput {
    Dependencies dependencies = DependencySyntax.parse(text, true);

    assertThat(DependencySyntax.format(dependencies)).isEqualTo(written);
    assertThat(DependencySyntax.parse(written, true)).isEqualTo(dependencies);
  }

  @Test
  void a_question_mark_means_any() throws BadInput {
    assertThat(DependencySyntax.parse("1?2", true).any()).isTrue();
    assertThat(DependencySyntax.parse("1,2", false))
        .matches(d -> !d.any() && !d.cancelIfNever() && d.list().size() == 2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "\"\"|has an empty place",
        "1,,2|has an empty place",
        "afterok|names no job after afterok",
        "afterok:|names no job with ''",
        "afterok:x|names no job with 'x'",
        "0|names no job with '0'",
        "1-5|names no job with '1-5'",
        "afterwards:1|has an unknown kind 'afterwards'",
        "aftercorr:1|has an unknown kind 'aftercorr'",
        "afterok:1+5|has a delay, which only after: takes",
        "after:1+x|has a delay that is no number of minutes",
        "singleton:1|names a job after singleton",
      })
  void a_wrong_list_is_refused(String text, String what) {
    Refusal.of(
        () -> DependencySyntax.parse(text, true),
        "dependency '"
            + text
            + "' "
            + what
            + "; write 42, afterok:42:43, afterany:42, afternotok:42, after:42+5 or singleton");
  }

  @Test
  void all_and_any_do_not_mix() {
    Refusal.of(
        () -> DependencySyntax.parse("1,2?3", true),
        "dependency '1,2?3' mixes , (all) and ? (any); use one of them");
  }
}
