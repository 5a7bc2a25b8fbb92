package gflow.daemon.upkeep;

import static gflow.daemon.upkeep.WatchedGpus.GIB;
import static gflow.daemon.upkeep.WatchedGpus.await;
import static gflow.daemon.upkeep.WatchedGpus.memory;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.daemon.Specs;
import gflow.gpu.NvmlStub;
import gflow.job.Exit;
import gflow.job.GpuCurve;
import gflow.job.GpuUse;
import gflow.job.Job;
import gflow.job.RequestedOptions;
import gflow.job.TaskEvent;
import gflow.job.TaskState;
import gflow.job.Usage;
import gflow.store.Change;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What jobs do with their GPUs is kept with them, and written where they want it. */
class GpuFiguresTest {
  @TempDir Path folder;
  private NvmlStub stub;

  @BeforeEach
  void compile() {
    stub = NvmlStub.compile(folder);
    says("");
  }

  private void says(String lines) {
    stub.says("gpu GPU-a " + 48 * GIB + " a100\nutil 40\ntemp 61\npower 312540\n" + lines);
  }

  @Test
  void means_and_peaks_are_kept_with_the_attempt() throws Exception {
    try (var gpus = new WatchedGpus(stub.open())) {
      Job job = gpus.submit(Specs.gpus(1));
      await(() -> gpus.runs(job));
      says("used %d\nprocess %d %d".formatted(3 * GIB, gpus.process(job), 3 * GIB));
      gpus.watch.lookNow();
      GpuUse seen = gpus.loop.look(core -> core.health().use().of(Specs.first(job))).orElseThrow();
      assertThat(seen.peakUse()).isEqualTo(OptionalInt.of(40));
      assertThat(seen.peakMemory()).isEqualTo(3 * GIB);
      GpuCurve curve = curve(gpus, job).orElseThrow();
      assertThat(curve.gpus().get(0))
          .allMatch(point -> point.use().equals(OptionalInt.of(40)))
          .anyMatch(point -> point.memory() == 3 * GIB);
      assertThat(gpus.store.load().gpus())
          .extracting(Change.GpusSeen::id)
          .contains(Specs.first(job));

      var exit = new TaskState.Exited(Exit.OK, Usage.UNKNOWN, false, Instant.now());
      gpus.loop.happened(Specs.first(job), new TaskEvent.ProgramEnded(exit, true));
      await(() -> !gpus.runs(job));
      assertThat(gpus.store.history().attempts(job.id()).getFirst().outcome().usage().gpu())
          .contains(seen);
      assertThat(gpus.store.history().gpuCurve(Specs.first(job))).contains(curve);
      assertThat(curve(gpus, job)).isEmpty();
    }
  }

  private static Optional<GpuCurve> curve(WatchedGpus gpus, Job job) throws Exception {
    return gpus.loop.look(core -> core.health().use().curve(Specs.first(job)));
  }

  @Test
  void a_full_disk_is_left_to_the_ends_of_jobs() throws Exception {
    try (var gpus = new WatchedGpus(stub.open())) {
      Job job = gpus.submit(Specs.gpus(1));
      await(() -> gpus.runs(job));
      gpus.loop.ask(
          (core, now) -> {
            core.diskLow(true);
            return now;
          });
      gpus.watch.lookNow();
      assertThat(gpus.store.load().gpus()).isEmpty();
    }
  }

  @Test
  void figures_are_written_as_csv_as_often_as_was_wanted() throws Exception {
    Path file = folder.resolve("gpu.csv");
    try (var gpus = new WatchedGpus(stub.open())) {
      var asked = new TreeMap<>(Map.of(RequestedOptions.GPU_LOG, file + ":1"));
      gpus.submit(Specs.gpus(1).withAsked(new RequestedOptions(asked)));
      says("used " + 3 * GIB);
      await(() -> Files.exists(file) && Files.readAllLines(file).size() >= 4);
    }
    assertThat(Files.readAllLines(file).getFirst())
        .isEqualTo("time,gpu,utilization_percent,memory_mib,temperature_c,power_w,job");
    assertThat(Files.readAllLines(file).getLast()).matches("20.*Z,0,40,3072,61,312.5,1");
  }

  @Test
  void a_log_that_cannot_be_written_holds_nobody_up() throws Exception {
    Path file = folder.resolve("gpu.csv");
    // Who opens it to write would wait for a reader.
    Path fifo = folder.resolve("fifo");
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    try (var gpus = new WatchedGpus(stub.open())) {
      for (Path log : List.of(folder, fifo, file)) {
        var asked = new TreeMap<>(Map.of(RequestedOptions.GPU_LOG, log + ":1"));
        Job job = gpus.submit(memory(GIB).withAsked(new RequestedOptions(asked)));
        await(() -> gpus.runs(job));
      }
      await(() -> Files.exists(file) && Files.readAllLines(file).size() >= 2);
      assertThat(gpus.problems.lines()).isEmpty();
    }
  }
}
