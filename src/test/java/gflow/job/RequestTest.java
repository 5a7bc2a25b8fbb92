package gflow.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RequestTest {
  private static final GpuRequest NONE = new GpuRequest.None();
  private static final GpuRequest ONE = new GpuRequest.Whole(1);

  @Test
  void cpus_that_were_not_asked_for_count_one_without_a_gpu_and_none_with() {
    assertThat(request(1, 0, NONE).cpus()).isEqualTo(1);
    assertThat(request(1, 0, ONE).cpus()).isZero();
    assertThat(request(4, 0, NONE).cpus()).isEqualTo(4);
    assertThat(request(4, 0, ONE).cpus()).isEqualTo(4);
  }

  @Test
  void cpus_that_were_asked_for_count_for_each_task() {
    assertThat(request(3, 2, ONE).cpus()).isEqualTo(6);
    assertThat(request(3, 2, ONE).bound()).isTrue();
    assertThat(request(3, 0, ONE).bound()).isFalse();
  }

  @Test
  void more_cpus_than_can_be_counted_are_an_error() {
    assertThatThrownBy(() -> request(100_000, 100_000, NONE).cpus())
        .isInstanceOf(ArithmeticException.class);
  }

  @Test
  void nonsense_is_refused() {
    assertThatThrownBy(() -> request(0, 1, NONE))
        .hasMessage("bad request: 0 tasks, 1 CPUs, 0 bytes");
    assertThatThrownBy(() -> request(1, -1, NONE)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new GpuRequest.Whole(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> GpuRequest.part(GpuPart.of(1000, 1000)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> GpuRequest.part(GpuPart.of(0, 1000)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> GpuRequest.memory(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_part_of_a_gpu_is_one_that_the_job_sees() {
    assertThat(NONE.count()).isZero();
    assertThat(new GpuRequest.Whole(3).count()).isEqualTo(3);
    assertThat(GpuRequest.part(GpuPart.of(250, 1000)).count()).isEqualTo(1);
    assertThat(GpuRequest.memory(1).count()).isEqualTo(1);
  }

  private static Request request(int ntasks, int cpusPerTask, GpuRequest gpus) {
    return new Request(ntasks, cpusPerTask, 0, gpus, GpuFilter.ANY);
  }
}
