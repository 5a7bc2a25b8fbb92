package gflow.script.value;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BadInputTest {
  @Test
  void a_refusal_is_one_short_line_whatever_it_quotes() {
    assertThat(new BadInput("time 'a\nb\u001b[31m' is wrong").line())
        .isEqualTo("time 'a b [31m' is wrong");
    assertThat(new BadInput("size '" + "9".repeat(100_000) + "' is wrong; write 4G").line())
        .hasSize(601)
        .startsWith("size '999")
        .endsWith("' is wrong; write 4G");
  }
}
