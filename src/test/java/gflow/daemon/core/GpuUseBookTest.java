package gflow.daemon.core;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.daemon.core.GpuUseBook.Seen;
import gflow.job.AttemptId;
import gflow.job.GpuUse;
import gflow.job.JobId;
import gflow.job.TaskId;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class GpuUseBookTest {
  private static final Instant T0 = Instant.parse("2026-03-01T12:00:00Z");
  private static final AttemptId ID = new AttemptId(new TaskId(new JobId(42)), 1);

  private final GpuUseBook book = new GpuUseBook();

  private void idle(int minute, boolean steps, boolean stepRuns) {
    var seen = new Seen(false, OptionalInt.of(0), 0, steps, stepRuns, Optional.empty());
    book.see(ID, seen, at(minute));
  }

  private void busy(int minute, int use, long memory) {
    var seen = new Seen(true, OptionalInt.of(use), memory, false, false, Optional.empty());
    book.see(ID, seen, at(minute));
  }

  private static Instant at(int minute) {
    return T0.plusSeconds(60L * minute);
  }

  private String notice(int minute) {
    return book.notice(ID, at(minute), Instant::toString).orElse("");
  }

  @Test
  void means_and_peaks_are_those_of_all_looks() {
    busy(0, 10, 100);
    busy(1, 90, 300);
    assertThat(book.of(ID))
        .contains(new GpuUse(2, OptionalInt.of(50), OptionalInt.of(90), 200, 300));
    book.over(ID);
    assertThat(book.of(ID)).isEmpty();
  }

  @Test
  void where_the_driver_does_not_say_there_is_no_figure() {
    book.see(ID, new Seen(true, OptionalInt.empty(), 8, false, false, Optional.empty()), T0);
    assertThat(book.of(ID)).contains(new GpuUse(1, OptionalInt.empty(), OptionalInt.empty(), 8, 8));
  }

  @Test
  void who_never_touches_its_gpu_is_marked_and_who_prepares_for_a_while_is_not() {
    idle(0, false, false);
    idle(4, false, false);
    assertThat(notice(4)).isEmpty();
    idle(5, false, false);
    assertThat(notice(5)).isEqualTo("no GPU use since 2026-03-01T12:00:00Z");
    busy(6, 3, 1);
    assertThat(notice(6)).isEmpty();
    idle(7, false, false);
    assertThat(notice(10)).isEmpty();
    assertThat(notice(11)).isEqualTo("no GPU use since 2026-03-01T12:06:00Z");
  }

  @Test
  void a_script_that_waits_after_its_steps_is_told_from_one_that_computes_on_cpus() {
    busy(0, 3, 1);
    idle(2, true, true);
    idle(3, true, false);
    assertThat(notice(6)).isEmpty();
    assertThat(notice(7)).isEqualTo("no step and no GPU use since 2026-03-01T12:02:00Z");
    idle(9, true, true);
    assertThat(notice(9)).isEqualTo("no GPU use since 2026-03-01T12:00:00Z");
  }
}
