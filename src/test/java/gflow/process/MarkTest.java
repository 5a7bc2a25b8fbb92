package gflow.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import org.junit.jupiter.api.Test;

class MarkTest {
  @Test
  void only_the_whole_entry_counts() {
    var mark = new Mark("h.12.1");
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
      long limit = new Mark("home." + job + ".1").limit();
      assertThat(limit).isPositive().isGreaterThanOrEqualTo(1L << 46);
      assertThat(seen.add(limit)).isTrue();
    }
  }
}
