package gflow.daemon.core;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.daemon.core.GpuUseBook.OnGpu;
import gflow.daemon.core.GpuUseBook.Seen;
import gflow.job.AttemptId;
import gflow.job.GpuCurve;
import gflow.job.GpuUse;
import gflow.job.JobId;
import gflow.job.TaskId;
import gflow.store.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class GpuUseBookTest {
  private static final Instant T0 = Instant.parse("2026-03-01T12:00:00Z");
  private static final AttemptId ID = new AttemptId(new TaskId(new JobId(42)), 1);

  private final GpuUseBook book = new GpuUseBook();

  private void idle(int minute, boolean steps, boolean stepRuns) {
    see(minute, false, OptionalInt.of(0), 0, steps, stepRuns);
  }

  private void busy(int minute, int use, long memory) {
    see(minute, true, OptionalInt.of(use), memory, false, false);
  }

  private void see(
      int minute, boolean there, OptionalInt use, long memory, boolean steps, boolean stepRuns) {
    var gpus = List.of(new OnGpu(3, use, memory));
    Duration age = Duration.ofMinutes(minute);
    book.see(ID, new Seen(age, there, gpus, steps, stepRuns, Optional.empty()), at(minute));
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
    see(0, true, OptionalInt.empty(), 8, false, false);
    assertThat(book.of(ID)).contains(new GpuUse(1, OptionalInt.empty(), OptionalInt.empty(), 8, 8));
  }

  @Test
  void several_gpus_are_one_figure_and_a_curve_each() {
    var gpus = List.of(new OnGpu(3, OptionalInt.of(90), 8), new OnGpu(5, OptionalInt.of(30), 2));
    var seen = new Seen(Duration.ofSeconds(7), true, gpus, false, false, Optional.empty());
    book.see(ID, seen, T0);
    assertThat(book.of(ID)).contains(new GpuUse(1, OptionalInt.of(60), OptionalInt.of(60), 10, 10));
    assertThat(book.curve(ID).orElseThrow().gpus())
        .containsEntry(3, List.of(new GpuCurve.Stretch(7, 1, 90, 8)))
        .containsEntry(5, List.of(new GpuCurve.Stretch(7, 1, 30, 2)));
  }

  @Test
  void figures_are_kept_every_five_minutes_and_the_next_daemon_goes_on_with_them() {
    busy(0, 10, 100);
    assertThat(book.due(at(0))).hasSize(1);
    busy(4, 90, 300);
    assertThat(book.due(at(4))).isEmpty();
    List<Change.GpusSeen> kept = book.due(at(5)).stream().map(Change.GpusSeen.class::cast).toList();
    assertThat(kept).extracting(Change.GpusSeen::id).containsExactly(ID);

    var next = new GpuUseBook();
    next.fill(kept);
    assertThat(next.of(ID)).isEqualTo(book.of(ID)).isPresent();
    assertThat(next.curve(ID)).isEqualTo(book.curve(ID)).isPresent();
    assertThat(next.notice(ID, at(60), Instant::toString)).isEmpty();
    next.over(ID);
    assertThat(next.due(at(5))).isEmpty();
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
