package gflow.daemon.upkeep;

import static gflow.daemon.upkeep.WatchedGpus.GIB;
import static gflow.daemon.upkeep.WatchedGpus.await;
import static gflow.daemon.upkeep.WatchedGpus.memory;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.daemon.Specs;
import gflow.gpu.NvmlStub;
import gflow.job.Job;
import gflow.job.JobSpec;
import gflow.job.RequestedOptions;
import gflow.job.TaskState;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory is given out by what a driver says, and who uses more than was promised is seen. */
class RealMemoryTest {
  @TempDir Path folder;
  private NvmlStub stub;

  @BeforeEach
  void compile() {
    stub = NvmlStub.compile(folder);
  }

  /** One GPU of 48 GiB about which this is said. */
  private void gpu(String lines) {
    stub.says("gpu GPU-a " + 48 * GIB + " one\n" + lines);
  }

  @Test
  void foreign_memory_counts_by_what_is_used() throws Exception {
    gpu("used %d\nprocess 1 %d".formatted(18 * GIB, 18 * GIB));
    try (var gpus = new WatchedGpus(stub.open())) {
      Job fits = gpus.submit(memory(20 * GIB));
      Job large = gpus.submit(memory(40 * GIB));
      await(() -> gpus.runs(fits));
      // What has started has not taken its memory yet, and is promised it all the same.
      assertThat(gpus.reason(large))
          .isEqualTo("Resources: Need 40G GPU memory, only 10G available");
    }
  }

  @Test
  void memory_that_is_too_little_says_how_much_is_free() throws Exception {
    gpu("used %d\nprocess 1 %d".formatted(18 * GIB, 18 * GIB));
    try (var gpus = new WatchedGpus(stub.open())) {
      Job large = gpus.submit(memory(40 * GIB));
      await(() -> gpus.reason(large).contains("GPU 0"));
      assertThat(gpus.reason(large)).isEqualTo("Resources: GPU 0 has 30G of 48G free, 40G asked");
    }
  }

  @Test
  void what_has_settled_is_not_counted_twice_and_what_has_grown_is() throws Exception {
    gpu("");
    try (var gpus = new WatchedGpus(stub.open())) {
      Job first = gpus.submit(memory(20 * GIB));
      await(() -> gpus.runs(first));
      long pid = gpus.process(first);
      gpu("used %d\nprocess %d %d".formatted(20 * GIB, pid, 20 * GIB));
      gpus.watch.lookNow();
      assertThat(gpus.notice(first)).isEmpty();

      gpu("used %d\nprocess %d %d".formatted(30 * GIB, pid, 30 * GIB));
      gpus.watch.lookNow();
      Job second = gpus.submit(memory(28 * GIB));
      await(() -> gpus.reason(second).contains("free"));
      assertThat(gpus.reason(second)).isEqualTo("Resources: GPU 0 has 18G of 48G free, 28G asked");
      assertThat(gpus.notice(first)).isEqualTo("uses 30G on GPU 0, promised 20G");
      assertThat(gpus.runs(first)).isTrue();

      gpu("used %d\nprocess %d %d".formatted(20 * GIB, pid, 20 * GIB));
      await(() -> gpus.runs(second));
      assertThat(gpus.notice(first)).isEmpty();
    }
  }

  @Test
  void who_wanted_it_so_is_ended_when_it_grows_past_its_promise() throws Exception {
    gpu("");
    try (var gpus = new WatchedGpus(stub.open())) {
      var asked = new TreeMap<>(Map.of(RequestedOptions.GPU_MEMORY_LIMIT, "enforce"));
      JobSpec spec = memory(8 * GIB).withAsked(new RequestedOptions(asked));
      Job job = gpus.submit(spec);
      await(() -> gpus.runs(job));
      gpu("used %d\nprocess %d %d".formatted(9 * GIB, gpus.process(job), 9 * GIB));
      gpus.watch.lookNow();

      TaskState state = gpus.loop.look(core -> core.ledger().job(job.id()).orElseThrow().state(0));
      assertThat(state)
          .isInstanceOfSatisfying(
              TaskState.Completing.class,
              ending ->
                  assertThat(ending.cause())
                      .isEqualTo(new TaskState.Cause.GpuMemory("uses 9G on GPU 0, promised 8G")));
    }
  }

  @Test
  void a_gpu_in_exclusive_mode_is_not_shared_and_may_be_had_whole() throws Exception {
    gpu("mode 3");
    try (var gpus = new WatchedGpus(stub.open())) {
      Job part = gpus.submit(memory(GIB));
      await(() -> gpus.reason(part).contains("exclusive"));
      assertThat(gpus.reason(part))
          .startsWith(
              "Resources: Need 1G GPU memory, only 0 available; GPU 0 is in exclusive mode");
      Job whole = gpus.submit(Specs.gpus(1));
      await(() -> gpus.runs(whole));
      assertThat(gpus.runs(part)).isFalse();
    }
  }

  @Test
  void on_a_gpu_that_nobody_may_use_nothing_starts() throws Exception {
    gpu("mode 2");
    try (var gpus = new WatchedGpus(stub.open())) {
      Job job = gpus.submit(Specs.gpus(1));
      await(() -> gpus.reason(job).contains("nobody may compute there"));
      gpu("mode 0");
      await(() -> gpus.runs(job));
    }
  }
}
