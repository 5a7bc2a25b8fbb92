package gflow.daemon.core;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.JobId;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SetbacksTest {
  private static final Instant T0 = Instant.parse("2026-03-01T12:00:00Z");
  private static final String WHY = "Too many open files";

  private final Setbacks setbacks = new Setbacks();

  private static JobId job(long id) {
    return new JobId(id);
  }

  @Test
  void one_that_could_not_be_started_waits_longer_each_time_and_a_minute_at_most() {
    Instant now = T0;
    Duration last = Duration.ZERO;
    for (int i = 0; i < 20; i++) {
      setbacks.failed(job(1), WHY, now);
      Duration pause = Duration.between(now, setbacks.until(job(1), now).orElseThrow());
      assertThat(pause).isGreaterThanOrEqualTo(last).isLessThanOrEqualTo(Duration.ofMinutes(1));
      last = pause;
      now = now.plus(pause);
      assertThat(setbacks.until(job(1), now)).isEmpty();
    }
    assertThat(last).isEqualTo(Duration.ofMinutes(1));
    assertThat(setbacks.paused(now)).as("it is one job's trouble").isFalse();
  }

  @Test
  void after_three_in_a_row_nothing_is_tried_for_a_while() {
    setbacks.failed(job(1), WHY, T0);
    setbacks.failed(job(2), WHY, T0);
    assertThat(setbacks.paused(T0)).isFalse();
    Instant resume = setbacks.failed(job(3), WHY, T0).getLast();

    assertThat(setbacks.paused(T0)).isTrue();
    assertThat(setbacks.why(job(99), T0)).contains(WHY);
    assertThat(setbacks.paused(resume)).isFalse();
  }

  @Test
  void a_program_that_ran_shows_that_the_machine_can() {
    setbacks.failed(job(1), WHY, T0);
    setbacks.failed(job(2), WHY, T0);
    setbacks.ran(job(1));
    setbacks.failed(job(3), WHY, T0);

    assertThat(setbacks.paused(T0)).isFalse();
    assertThat(setbacks.why(job(1), T0)).isEmpty();
  }

  @Test
  void it_is_a_problem_until_it_has_started() {
    assertThat(setbacks.problem()).isEmpty();
    setbacks.failed(job(7), WHY, T0);
    assertThat(setbacks.problem())
        .contains("job 7 could not be started and waits: Too many open files");
    setbacks.failed(job(8), "other", T0);
    assertThat(setbacks.problem())
        .contains("job 7 (and 1 more) could not be started and waits: Too many open files");

    setbacks.spawned(job(7));
    setbacks.forget(job(8));
    assertThat(setbacks.problem()).isEmpty();
  }
}
