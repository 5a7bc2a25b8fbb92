package gflow.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessMarkTest {
  @Test
  void only_the_whole_entry_counts() {
    var mark = new ProcessMark("h.12.1");
    assertThat(mark.isIn("A=1\0GFLOW_MARK=h.12.1\0B=2\0".getBytes(UTF_8))).isTrue();
    assertThat(mark.isIn("GFLOW_MARK=h.12.1".getBytes(UTF_8))).isTrue();
    assertThat(mark.isIn("GFLOW_MARK=h.12.10\0".getBytes(UTF_8))).isFalse();
    assertThat(mark.isIn("OLD_GFLOW_MARK=h.12.1\0".getBytes(UTF_8))).isFalse();
    assertThat(mark.isIn(new byte[0])).isFalse();
  }

  @Test
  void limits_of_different_marks_differ_and_are_large() {
    var seen = new HashSet<Long>();
    for (int job = 0; job < 100_000; job++) {
      long limit = new ProcessMark("home." + job + ".1").limit();
      assertThat(limit).isPositive().isGreaterThanOrEqualTo(1L << 46);
      assertThat(seen.add(limit)).isTrue();
    }
  }

  @Test
  void the_limit_of_a_step_is_one_of_its_attempt_and_of_no_other_step() {
    var mark = new ProcessMark("home.7.1");
    var seen = new HashSet<>(List.of(mark.limit()));
    for (int step = 0; step < 200_000; step++) {
      assertThat(seen.add(mark.limit(step))).isTrue();
    }
    assertThat(seen).allMatch(limit -> limit >> 18 == mark.limit() >> 18);
    assertThat(mark.limit(Integer.MAX_VALUE)).isGreaterThan(mark.limit());
  }
}
