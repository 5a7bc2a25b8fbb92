package gflow.script.value;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.script.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizesTest {
  @ParameterizedTest
  @CsvSource({
    "1443, 1513095168, 1443M",
    "4G, 4294967296, 4G",
    "2g, 2147483648, 2G",
    "1GB, 1073741824, 1G",
    "8GiB, 8589934592, 8G",
    "500M, 524288000, 500M",
    "1500K, 1536000, 1500K",
    "1T, 1099511627776, 1T",
    "2048, 2147483648, 2G",
    "0, 0, 0",
  })
  void a_size_is_read_and_written_back(String text, long bytes, String shortest) throws BadInput {
    assertThat(Sizes.parse(text)).isEqualTo(bytes);
    assertThat(Sizes.format(bytes)).isEqualTo(shortest);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "G", "1.5K", "-1", "4X", "four", "1 000"})
  void what_is_no_size_is_refused(String text) {
    Refusal.of(
        () -> Sizes.parse(text),
        "size '" + text + "' is not understood; write 4G, 500M or a number of MB");
  }

  @ParameterizedTest
  @CsvSource({"2.5G, 2560M", "0.5g, 512M", "1.001MB, 1026K", "1.5T, 1536G"})
  void a_fraction_is_refused_as_slurm_does_with_what_to_write(String text, String write) {
    Refusal.of(() -> Sizes.parse(text), "size '" + text + "' has a fraction; write " + write);
  }

  @Test
  void a_size_that_no_machine_has_is_refused() {
    Refusal.of(
        () -> Sizes.parse("999999999999T"),
        "size '999999999999T' is more than 1024T; write 4G, 500M or a number of MB");
  }

  @Test
  void a_rounded_size_has_one_digit_after_the_point() {
    assertThat(Sizes.rounded(25_665_000_000L)).isEqualTo("23.9G");
    assertThat(Sizes.rounded(24L << 30)).isEqualTo("24G");
    assertThat(Sizes.rounded(100)).isEqualTo("100B");
    assertThat(Sizes.rounded(0)).isEqualTo("0");
  }
}
