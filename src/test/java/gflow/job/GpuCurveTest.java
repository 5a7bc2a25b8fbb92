package gflow.job;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.GpuCurve.Stretch;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GpuCurveTest {
  private static GpuCurve look(GpuCurve curve, long second, int use, long memory) {
    return curve.with(Duration.ofSeconds(second), 0, OptionalInt.of(use), memory);
  }

  @Test
  void a_short_attempt_has_a_point_for_each_look() {
    GpuCurve curve = look(look(GpuCurve.NONE, 0, 10, 5), 10, 90, 7);
    assertThat(curve.seconds()).isOne();
    assertThat(curve.gpus().get(0))
        .containsExactly(new Stretch(0, 1, 10, 5), new Stretch(10, 1, 90, 7));
  }

  @Test
  void when_it_grows_too_long_two_points_become_one() {
    GpuCurve curve = GpuCurve.NONE;
    for (int second = 0; second < 240; second++) {
      curve = look(curve, second, second % 2 * 100, second);
    }
    assertThat(curve.gpus().get(0)).hasSize(240);
    curve = look(curve, 240, 8, 1);
    assertThat(curve.seconds()).isEqualTo(2);
    List<Stretch> points = curve.gpus().get(0);
    assertThat(points).hasSize(121);
    assertThat(points.getFirst()).isEqualTo(new Stretch(0, 2, 100, 1));
    assertThat(points.getFirst().use()).hasValue(50);
    assertThat(points.getLast()).isEqualTo(new Stretch(120, 1, 8, 1));
  }

  @Test
  void a_gpu_that_says_no_use_has_its_memory_alone() {
    GpuCurve curve = GpuCurve.NONE.with(Duration.ofSeconds(1), 2, OptionalInt.empty(), 9);
    assertThat(curve.gpus().get(2)).containsExactly(new Stretch(1, 0, 0, 9));
    assertThat(curve.gpus().get(2).getFirst().use()).isEmpty();
  }

  @Test
  void a_look_out_of_its_time_is_with_the_one_before() {
    GpuCurve curve = look(look(GpuCurve.NONE, 9, 10, 5), 3, 30, 4);
    assertThat(curve.gpus().get(0)).containsExactly(new Stretch(9, 2, 40, 5));
    assertThat(look(GpuCurve.NONE, -4, 10, 5).gpus().get(0).getFirst().number()).isZero();
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void however_long_it_is_its_size_is_bounded_and_no_look_is_lost(long seed) {
    var random = new Random(seed);
    GpuCurve curve = GpuCurve.NONE;
    int looks = 0;
    int percents = 0;
    long peak = 0;
    for (long second = 0; looks < 3000; second += 1 + random.nextInt(seed > 3 ? 5000 : 20)) {
      int use = random.nextInt(101);
      long memory = random.nextLong(1L << 37);
      curve = look(curve, second, use, memory);
      looks++;
      percents += use;
      peak = Math.max(peak, memory);
      List<Stretch> points = curve.gpus().get(0);
      assertThat(points.size()).isLessThanOrEqualTo(240);
      assertThat((long) points.getLast().number() * curve.seconds())
          .isBetween(second - curve.seconds() + 1, second);
    }
    List<Stretch> points = curve.gpus().get(0);
    assertThat(points).extracting(Stretch::number).isSorted().doesNotHaveDuplicates();
    assertThat(points.stream().mapToInt(Stretch::looks).sum()).isEqualTo(looks);
    assertThat(points.stream().mapToInt(Stretch::percents).sum()).isEqualTo(percents);
    assertThat(points.stream().mapToLong(Stretch::memory).max()).hasValue(peak);
  }
}
