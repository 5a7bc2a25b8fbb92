package gflow.same;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DifferenceTest {
  private static final List<Listed> LISTED =
      Listed.parse(
          """
          ## Memory
          kind: one machine
          about: --mem
          why: There is no default.
          seen: env-* | file out *_CPU | - | 100
          """);

  private static List<Difference> between(String gflow, String slurm) {
    return Difference.between("env-mem", Answer.parse(gflow), Answer.parse(slurm));
  }

  @Test
  void variables_are_compared_by_name_wherever_they_stand() {
    assertThat(between("== file out\nA=1\nB=2\n", "== file out\nB=2\nA=1\n")).isEmpty();
    assertThat(between("== file out\nA=1\n", "== file out\nA=2\nB=3\n"))
        .containsExactly(
            new Difference("env-mem", "file out A", "1", "2"),
            new Difference("env-mem", "file out B", "-", "3"));
  }

  @Test
  void other_lines_are_compared_in_their_order() {
    assertThat(between("== said\none\nthree\n", "== said\none\ntwo\nthree\n"))
        .containsExactly(new Difference("env-mem", "said", "-", "two"));
  }

  @Test
  void a_file_that_only_one_of_them_wrote_is_a_difference() {
    assertThat(between("== code\n0\n", "== code\n0\n== file out\n"))
        .containsExactly(new Difference("env-mem", "file out", "-", "(empty)"));
  }

  @Test
  void slurms_words_must_be_said_and_more_may_be() {
    String slurm = "== complained\nsbatch: error: no\n";
    assertThat(between("== complained\nsbatch: error: no\nwrite yes\n", slurm)).isEmpty();
    assertThat(between("== complained\nwrite yes\n", slurm)).hasSize(1);
  }

  @Test
  void what_is_not_listed_is_told_with_both_values() {
    List<Difference> found =
        between("== file out\nGPUS=2\n", "== file out\nGPUS=1\nMEM_PER_CPU=100\n");
    assertThat(Listed.unlisted(found, LISTED))
        .containsExactly("env-mem | file out GPUS | gflow: 2 | slurm: 1");
    assertThat(Listed.unmet(found, LISTED)).isEmpty();
  }

  @Test
  void what_is_listed_and_does_not_occur_is_told() {
    assertThat(Listed.unmet(List.of(), LISTED))
        .containsExactly("listed, but not so any more: env-* | file out *_CPU | - | 100");
  }
}
