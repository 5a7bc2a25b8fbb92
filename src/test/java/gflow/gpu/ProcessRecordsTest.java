package gflow.gpu;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProcessRecordsTest {
  @ParameterizedTest(name = "{0} bytes, {1} processes, filled with {2}")
  @CsvSource({
    "16, 1, 170",
    "16, 2, 170",
    "16, 7, 170",
    "24, 1, 170",
    "24, 2, 170",
    "24, 7, 170",
    "32, 1, 170",
    "32, 2, 170",
    "32, 7, 170",
    "24, 7, 0",
    "32, 7, 0"
  })
  void records_of_every_size_are_read(int size, int count, int filling) {
    try (var arena = Arena.ofConfined()) {
      var records = arena.allocate(20 * 32, 8).fill((byte) filling);
      write(records, size, count);

      assertThat(ProcessRecords.parse(records, count)).isEqualTo(expected(count));
    }
  }

  @Test
  void a_field_that_the_driver_leaves_unset_at_the_end_does_not_mislead() {
    try (var arena = Arena.ofConfined()) {
      var records = arena.allocate(20 * 32, 8).fill((byte) 0xAA);
      write(records, 32, 3);
      records.asSlice(2 * 32 + 24, 8).fill((byte) 0xAA);

      assertThat(ProcessRecords.parse(records, 3)).isEqualTo(expected(3));
    }
  }

  @Test
  void memory_that_is_not_available_is_absent() {
    try (var arena = Arena.ofConfined()) {
      var records = arena.allocate(32, 8).fill((byte) 0xAA);
      write(records, 24, 1);
      records.set(JAVA_LONG, 8, -1);

      assertThat(ProcessRecords.parse(records, 1))
          .containsExactly(new ProcessRecords.Entry(1000, OptionalLong.empty()));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {32, 33, 300, 5000})
  void the_buffer_grows_until_the_list_fits(int count) {
    var listing =
        ProcessRecords.read(
            (length, records) -> {
              int room = length.get(JAVA_INT, 0);
              length.set(JAVA_INT, 0, count);
              if (room < count) {
                return NvmlLibrary.INSUFFICIENT_SIZE;
              }
              write(records, 24, count);
              return NvmlLibrary.OK;
            });

    assertThat(listing.code()).isEqualTo(NvmlLibrary.OK);
    assertThat(listing.entries()).isEqualTo(expected(count));
  }

  @Test
  void a_driver_that_is_never_content_is_given_up() {
    var calls = new AtomicInteger();

    var listing =
        ProcessRecords.read(
            (length, records) -> {
              calls.incrementAndGet();
              return NvmlLibrary.INSUFFICIENT_SIZE;
            });

    assertThat(listing)
        .isEqualTo(new ProcessRecords.Listing(NvmlLibrary.INSUFFICIENT_SIZE, List.of()));
    assertThat(calls.get()).isLessThan(20);
  }

  /** Field by field as a driver does it, so that the padding keeps the pattern. */
  private static void write(MemorySegment records, int size, int count) {
    for (int i = 0; i < count; i++) {
      long at = (long) i * size;
      records.set(JAVA_INT, at, 1000 + i);
      records.set(JAVA_LONG, at + 8, (long) (i + 1) << 30);
      if (size > 16) {
        records.set(JAVA_LONG, at + 16, -1);
      }
      if (size > 24) {
        records.set(JAVA_LONG, at + 24, 0);
      }
    }
  }

  private static List<ProcessRecords.Entry> expected(int count) {
    return LongStream.range(0, count)
        .mapToObj(i -> new ProcessRecords.Entry(1000 + i, OptionalLong.of((i + 1) << 30)))
        .toList();
  }
}
