package gflow.local;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Exit;
import gflow.job.Usage;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StepRecordTest {
  private static Optional<StepRecord> parse(String text) {
    return StepRecord.parse(text.getBytes(ISO_8859_1));
  }

  @Test
  void a_shell_says_the_times_of_its_children_in_the_second_line() {
    assertThat(parse("0m0.010s 0m0.020s\n1m1.500s 0m0.250s\nexit 3\n"))
        .contains(
            new StepRecord(
                Exit.code(3),
                new Usage(Optional.of(Duration.ofMillis(61_750)), OptionalLong.empty())));
  }

  @Test
  void who_has_counted_says_numbers() {
    assertThat(parse("cpu 1500000\nrss 4096\nexit 137\n"))
        .contains(
            new StepRecord(
                Exit.signal(9),
                new Usage(Optional.of(Duration.ofMillis(1500)), OptionalLong.of(4096))));
  }

  @Test
  void the_code_alone_is_enough() {
    assertThat(parse("exit 0\n")).contains(new StepRecord(Exit.OK, Usage.UNKNOWN));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "exit 0", "exit 1234\n", "exit 0\ncpu 1\n", "cpu 1\n"})
  void anything_else_no_parent_wrote(String text) {
    assertThat(parse(text)).isEmpty();
  }

  @Test
  void rubbish_before_the_code_says_nothing() {
    assertThat(parse("cpu 9999999999999999999\nrss x\nhello\nexit 0\n"))
        .contains(new StepRecord(Exit.OK, Usage.UNKNOWN));
  }
}
