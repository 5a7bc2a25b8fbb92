package gflow.local;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Exit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AttemptRecordTest {
  private static final Instant AT = Instant.parse("2026-03-01T12:00:00Z");
  private static final long WRAPPER = 42;

  @TempDir Path folder;

  private static AttemptRecord parse(String text) {
    return AttemptRecord.parse(text, AT);
  }

  @Test
  void a_line_that_is_not_whole_says_nothing_yet() {
    assertThat(parse("")).isEqualTo(new AttemptRecord.Empty());
    assertThat(parse("start 42 b")).isEqualTo(new AttemptRecord.Empty());
    assertThat(parse("start 42 boot\n")).isEqualTo(new AttemptRecord.Started(WRAPPER, "boot"));
    assertThat(parse("start 42 boot\n0m0.00s 0m0.00s\n0m1.00s 0m0.00s\nexit 0"))
        .isEqualTo(new AttemptRecord.Started(WRAPPER, "boot"));
  }

  @Test
  void the_end_has_the_exit_and_the_time_of_the_children() {
    String text = "start 42 boot\n0m0.01s 0m0.02s\n1m2.25s 0m0.75s\nexit 3\n";
    assertThat(parse(text))
        .isEqualTo(
            new AttemptRecord.Finished(
                WRAPPER, "boot", Exit.code(3), Optional.of(Duration.ofSeconds(63)), AT));
    assertThat(parse(text.replace("exit 3", "exit 143")))
        .isEqualTo(
            new AttemptRecord.Finished(
                WRAPPER, "boot", Exit.signal(15), Optional.of(Duration.ofSeconds(63)), AT));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0m1.500s 0m0.250s", "0m1,500s 0m0,250s", "  0m1.5s\t0m0.25s  "})
  void times_are_read_in_every_language(String times) {
    var end = (AttemptRecord.Finished) parse("start 42 b\n0m0s 0m0s\n" + times + "\nexit 0\n");
    assertThat(end.cpuTime()).contains(Duration.ofMillis(1750));
  }

  @Test
  void who_comes_second_cannot_void_it() throws Exception {
    Path file = folder.resolve("1.1/record");
    assertThat(AttemptRecord.read(file)).isEqualTo(new AttemptRecord.Missing());
    assertThat(AttemptRecord.createVoid(file)).isTrue();
    assertThat(AttemptRecord.read(file)).isEqualTo(new AttemptRecord.Voided());
    assertThat(AttemptRecord.createVoid(file)).isFalse();

    Path started = Files.writeString(folder.resolve("record"), "start 42 boot\n");
    assertThat(AttemptRecord.createVoid(started)).isFalse();
    assertThat(AttemptRecord.read(started)).isEqualTo(new AttemptRecord.Started(WRAPPER, "boot"));
  }
}
