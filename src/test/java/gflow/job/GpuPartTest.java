package gflow.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parts of a GPU are exact. */
class GpuPartTest {
  @Test
  void parts_of_every_size_sum_up_to_one() {
    for (int of = 1; of <= 36; of++) {
      GpuPart sum = GpuPart.NONE;
      for (int i = 0; i < of; i++) {
        sum = sum.plus(GpuPart.of(1, of));
      }
      assertThat(sum).as("1/" + of).isEqualTo(GpuPart.WHOLE);
    }
    assertThat(GpuPart.isExact(BigInteger.ONE, BigInteger.valueOf(64))).isTrue();
    assertThat(GpuPart.isExact(BigInteger.ONE, BigInteger.valueOf(37))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 4, 0.25",
    "1, 16, 0.0625",
    "1, 3, 1/3",
    "2, 6, 1/3",
    "333, 1000, 0.333",
    "5, 7, 5/7",
    "1, 1, 1",
    "0, 1, 0"
  })
  void it_is_shown_short_and_exact(long dividend, long divisor, String text) {
    GpuPart part = GpuPart.of(dividend, divisor);
    assertThat(part).hasToString(text);
    assertThat(GpuPart.of(part.value())).isEqualTo(part);
  }

  @Test
  void what_it_promises_is_rounded_down() {
    assertThat(GpuPart.of(1, 3).of(100)).isEqualTo(33);
    assertThat(GpuPart.WHOLE.of(1L << 50)).isEqualTo(1L << 50);
    assertThat(GpuPart.of(1, 2).minus(GpuPart.WHOLE)).isEqualTo(GpuPart.NONE);
    assertThatThrownBy(() -> new GpuPart(-1)).isInstanceOf(IllegalArgumentException.class);
  }
}
