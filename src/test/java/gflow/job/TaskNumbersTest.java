package gflow.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TaskNumbersTest {
  @Test
  void the_number_of_an_array_is_that_of_no_task() {
    var numbers = new TaskNumbers(new JobId(40), 1, 3);

    assertThat(IntStream.range(0, 3).mapToObj(k -> numbers.task(k).number().value()))
        .containsExactly(41L, 42L, 43L);
    assertThat(numbers.offsets(new JobId(40))).isEqualTo(Ranges.firstN(3));
    assertThat(numbers.offsets(new JobId(41))).isEqualTo(Ranges.of(0, 0));
    assertThat(numbers.offsets(new JobId(43))).isEqualTo(Ranges.of(2, 2));
    assertThat(numbers.owns(new JobId(39))).isFalse();
    assertThat(numbers.owns(numbers.last())).isTrue();
    assertThat(numbers.last()).isEqualTo(new JobId(43));
    assertThat(numbers.owns(new JobId(44))).isFalse();
  }

  /** Folders, marks and rows of what runs have these numbers. */
  @Test
  void an_array_of_an_older_version_keeps_its_numbers() {
    var numbers = new TaskNumbers(new JobId(40), 0, 3);

    assertThat(numbers.task(0).number()).isEqualTo(new JobId(40));
    assertThat(numbers.offsets(new JobId(40))).isEqualTo(Ranges.firstN(3));
    assertThat(numbers.offsets(new JobId(41))).isEqualTo(Ranges.of(1, 1));
    assertThat(numbers.last()).isEqualTo(new JobId(42));
  }

  @Test
  void a_job_that_is_no_array_has_one_number() {
    var numbers = new TaskNumbers(new JobId(40), 0, 1);

    assertThat(numbers.task(0)).isEqualTo(new TaskId(new JobId(40)));
    assertThat(numbers.last()).isEqualTo(new JobId(40));
    assertThat(numbers.offset(new JobId(40))).isZero();
  }
}
