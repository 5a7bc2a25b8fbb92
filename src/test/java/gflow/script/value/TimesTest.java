package gflow.script.value;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.script.Refusal;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimesTest {
  @ParameterizedTest
  @CsvSource({
    "30, PT30M",
    "4:30, PT4M30S",
    "4:00:00, PT4H",
    "0:90:00, PT1H30M",
    "1-12, PT36H",
    "1-12:30, PT36H30M",
    "2-0:0:5, PT48H5S",
    "90s, PT1M30S",
    "30m, PT30M",
    "45min, PT45M",
    "2H, PT2H",
    "1d, PT24H",
    "2w, PT336H",
  })
  void a_limit_is_read(String text, Duration limit) throws BadInput {
    assertThat(Times.limit(text)).contains(limit);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "infinite", "UNLIMITED", "Unlimited", "none", "0:00"})
  void some_words_mean_no_limit(String text) throws BadInput {
    assertThat(Times.limit(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "abc", "1:2:3:4", "-5", "1.5h", "5x", "1-", "-", ":30", "1-2-3"})
  void what_is_no_time_is_refused(String text) {
    Refusal.of(
        () -> Times.limit(text),
        "time '"
            + text
            + "' is not understood; write minutes (30), 4:00:00, 1-12:00, 90s, 2h or unlimited");
  }

  @Test
  void an_absurd_time_is_refused() {
    Refusal.of(
        () -> Times.limit("999999999"),
        "time '999999999' is more than 3650 days; write unlimited for no limit");
  }

  @Test
  void a_change_moves_the_limit_or_sets_it() throws BadInput {
    assertThat(Times.change("+2h")).isEqualTo(new Times.Change.By(Duration.ofHours(2)));
    assertThat(Times.change("-30m")).isEqualTo(new Times.Change.By(Duration.ofMinutes(-30)));
    assertThat(Times.change("30"))
        .isEqualTo(new Times.Change.To(java.util.Optional.of(Duration.ofMinutes(30))));
    assertThat(Times.change("-1")).isEqualTo(new Times.Change.To(java.util.Optional.empty()));
  }

  @Test
  void a_time_is_shown_as_slurm_shows_it() {
    assertThat(Times.format(Duration.ofSeconds(7384))).isEqualTo("02:03:04");
    assertThat(Times.format(Duration.ofSeconds(93784))).isEqualTo("1-02:03:04");
  }
}
