package gflow.plan;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.GpuFilter;
import gflow.job.GpuRequest;
import gflow.job.Request;
import gflow.job.RequestedOptions;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The scene's machine has 8 CPUs and 64 G. */
class WholeMachineTest {
  private static final long MB = 1L << 20;
  private static final Request PLAIN = new Request(1, 0, 0, new GpuRequest.None(), GpuFilter.ANY);

  private static Request counted(int gpus, Request request, String... asked) {
    var options = new TreeMap<String, String>();
    for (int i = 0; i < asked.length; i += 2) {
      options.put(asked[i], asked[i + 1]);
    }
    return WholeMachine.counted(Scene.of(gpus).machine(), request, new RequestedOptions(options));
  }

  @Test
  void who_is_alone_gets_all_gpus_and_cpus_and_only_the_memory_asked_for() {
    var one = new GpuFilter(Optional.of("sim"), List.of(1), List.of());
    var request = new Request(1, 0, 5, new GpuRequest.Whole(1), one);

    assertThat(counted(4, request, "exclusive", ""))
        .isEqualTo(new Request(1, 8, 5, new GpuRequest.Whole(4), GpuFilter.ANY));
    assertThat(counted(0, PLAIN, "exclusive", "").gpus()).isEqualTo(new GpuRequest.None());
    assertThat(counted(4, PLAIN, "exclusive", "user")).isEqualTo(PLAIN);
  }

  @Test
  void its_cpus_are_split_among_its_tasks_where_that_goes() {
    assertThat(counted(0, PLAIN, "exclusive", "", "ntasks", "4").cpusPerTask()).isEqualTo(2);
    assertThat(counted(0, PLAIN, "exclusive", "", "ntasks", "3").cpus()).isEqualTo(8);
  }

  @Test
  void memory_by_the_cpu_or_gpu_follows_what_it_got() {
    assertThat(counted(4, PLAIN, "exclusive", "", "mem-per-cpu", "100").memory())
        .isEqualTo(800 * MB);
    assertThat(counted(4, PLAIN, "exclusive", "", "mem-per-gpu", "100").memory())
        .isEqualTo(400 * MB);
  }

  @Test
  void no_memory_at_all_means_all_of_it() {
    assertThat(counted(0, PLAIN, "mem", "0").memory()).isEqualTo(64 * Scene.G);
    assertThat(counted(0, PLAIN, "mem", "7")).isEqualTo(PLAIN);
    assertThat(counted(0, PLAIN)).isEqualTo(PLAIN);
  }

  @Test
  void who_asks_for_more_than_all_is_still_refused() {
    var request = new Request(1, 0, 0, new GpuRequest.Whole(9), GpuFilter.ANY);

    assertThat(counted(4, request, "exclusive", "").gpus().count()).isEqualTo(9);
  }
}
