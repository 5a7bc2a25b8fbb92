package gflow.daemon.upkeep;

import static gflow.daemon.upkeep.WatchedGpus.GIB;
import static gflow.daemon.upkeep.WatchedGpus.await;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.config.Config.Trespass;
import gflow.daemon.Specs;
import gflow.daemon.core.OperatorControls;
import gflow.gpu.NvmlStub;
import gflow.job.Exit;
import gflow.job.GpuFault;
import gflow.job.GpuId;
import gflow.job.Job;
import gflow.job.TaskEvent;
import gflow.job.TaskState;
import gflow.job.Usage;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** GPUs with errors are taken out, with the reason, and the others go on. */
class SickGpusTest {
  private static final GpuId A = new GpuId("GPU-a");

  @TempDir Path folder;
  private NvmlStub stub;

  @BeforeEach
  void compile() {
    stub = NvmlStub.compile(folder);
    says("", "");
  }

  /** Two GPUs of 48 GiB about which this is said. */
  private void says(String one, String other) {
    String gpu = "gpu GPU-%s " + 48 * GIB + " a100\n%s\n";
    stub.says(gpu.formatted("a", one) + gpu.formatted("b", other));
  }

  private static Job run(WatchedGpus gpus) throws Exception {
    Job job = gpus.submit(Specs.gpus(1));
    await(() -> gpus.runs(job));
    return job;
  }

  private static void end(WatchedGpus gpus, Job job) throws Exception {
    var exit = new TaskState.Exited(Exit.OK, Usage.UNKNOWN, false, Instant.now());
    gpus.loop.happened(Specs.first(job), new TaskEvent.ProgramEnded(exit, true));
    await(() -> !gpus.runs(job));
  }

  private static String kept(WatchedGpus gpus) throws Exception {
    return "" + gpus.store.load().settings().get(OperatorControls.KEY);
  }

  @Test
  void an_error_that_only_a_reset_mends_takes_the_gpu_out_for_good() throws Exception {
    try (var gpus = new WatchedGpus(stub.open())) {
      Job first = run(gpus);
      Instant before = Instant.now();
      says("xid 79", "");
      await(() -> kept(gpus).contains("XID 79"));
      Job both = gpus.submit(Specs.gpus(2));
      assertThat(gpus.reason(both)).contains("GPU 0 drained: XID 79: GPU has fallen off the bus");
      assertThat(gpus.runs(first)).isTrue();
      assertThat(run(gpus)).isNotNull();
      String fault =
          gpus.loop
              .look(core -> core.health().faults().of(List.of(A), before, Instant.now()))
              .orElseThrow()
              .text();
      assertThat(fault).isEqualTo("XID 79 on GPU 0");

      var exit = new TaskState.Exited(Exit.code(1), Usage.UNKNOWN, false, Instant.now());
      gpus.loop.happened(Specs.first(first), new TaskEvent.ProgramEnded(exit, true));
      await(() -> !gpus.runs(first));
      assertThat(gpus.store.history().attempts(first.id()).getFirst().outcome().note())
          .isEqualTo("XID 79 on GPU 0");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "recovery 1 | the driver wants the GPU reset",
        "recovery 2 | the driver wants the machine rebooted",
        "recovery 3 | the driver wants the GPU left alone until its peers let go of it (drain P2P)",
        "recovery 4 | the driver wants the GPU left alone by all and then reset (drain and reset)",
        "recovery 9 | the driver wants the GPU reset or the machine rebooted",
        "util 3     | the driver wants the GPU reset or the machine rebooted"
      })
  void what_the_driver_wants_done_is_why_the_gpu_is_out(String says, String wants)
      throws Exception {
    try (var gpus = new WatchedGpus(stub.open())) {
      says("xid 154\n" + says, "");
      await(() -> kept(gpus).contains("XID 154"));
      Job both = gpus.submit(Specs.gpus(2));
      assertThat(gpus.reason(both)).endsWith("GPU 0 drained: XID 154: " + wants);
    }
  }

  @Test
  void a_gpu_about_which_nothing_is_to_be_done_any_more_stays() throws Exception {
    try (var gpus = new WatchedGpus(stub.open())) {
      says("xid 154\nrecovery 0", "");
      await(() -> faults(gpus).equals("XID 154 on GPU 0"));
      assertThat(kept(gpus)).doesNotContain("XID");
      Job both = gpus.submit(Specs.gpus(2));
      await(() -> gpus.runs(both));
    }
  }

  @Test
  void what_a_program_does_to_itself_leaves_the_gpu_alone_until_others_have_it_too()
      throws Exception {
    try (var gpus = new WatchedGpus(stub.open())) {
      Job first = run(gpus);
      says("xid 31\nxid 31", "");
      await(() -> faults(gpus).contains("XID 31"));
      end(gpus, first);
      assertThat(gpus.problems.lines()).isEmpty();
      run(gpus);
      says("xid 31\nxid 31\nxid 31", "");
      await(() -> !gpus.problems.lines().isEmpty());
      assertThat(gpus.problems.lines().getFirst())
          .startsWith("GPU 0: XID 31: page fault of a program, in several jobs");
      assertThat(kept(gpus)).doesNotContain("XID");
    }
  }

  private static String faults(WatchedGpus gpus) throws Exception {
    return gpus.loop
        .look(core -> core.health().faults().of(List.of(A), Instant.EPOCH, Instant.now()))
        .map(GpuFault::text)
        .orElse("");
  }

  @Test
  void a_gpu_that_the_driver_has_lost_is_taken_out_and_stays_out_when_it_answers_again()
      throws Exception {
    try (var gpus = new WatchedGpus(stub.open())) {
      says("fail nvmlDeviceGetMemoryInfo_v2 15", "");
      Job both = gpus.submit(Specs.gpus(2));
      await(() -> gpus.reason(both).contains("GPU 0 lost: GPU is lost"));
      says("", "");
      await(() -> gpus.reason(both).contains("GPU 0 drained: lost: GPU is lost"));
      assertThat(faults(gpus)).isEqualTo("GPU 0 lost");
    }
  }

  @Test
  void a_call_that_hangs_keeps_only_its_own_gpu_from_jobs() throws Exception {
    try (var gpus = new WatchedGpus(stub.open())) {
      says("hang nvmlDeviceGetUtilizationRates", "");
      Job both = gpus.submit(Specs.gpus(2));
      assertThat(run(gpus)).isNotNull();
      assertThat(gpus.reason(both)).contains("GPU 0 lost: the driver does not answer since");
      says("", "");
      await(() -> gpus.problems.lines().isEmpty());
    }
  }

  @Test
  void memory_that_stays_after_the_last_process_takes_the_gpu_out_until_it_is_gone()
      throws Exception {
    try (var gpus = new WatchedGpus(stub.open())) {
      Job job = run(gpus);
      says("used %d\nprocess %d %d".formatted(3 * GIB, gpus.process(job), 3 * GIB), "");
      gpus.watch.lookNow();
      end(gpus, job);
      says("used " + 3 * GIB, "");
      gpus.watch.lookNow();
      Job both = gpus.submit(Specs.gpus(2));
      await(() -> gpus.reason(both).contains("GPU 0 used by what an ended job has left, 3G"));
      for (int i = 0; i < 5; i++) {
        gpus.watch.lookNow();
      }
      assertThat(gpus.reason(both))
          .contains("GPU 0 drained: memory stays: 3G in use by no process");
      assertThat(kept(gpus)).contains("memory stays");

      says("", "");
      await(() -> gpus.runs(both));
      assertThat(kept(gpus)).doesNotContain("memory stays");
    }
  }

  @Test
  void a_screen_may_use_memory_and_so_may_who_was_there_before_us() throws Exception {
    try (var gpus = new WatchedGpus(stub.open())) {
      says("used %d\ngraphics 1 %d".formatted(3 * GIB, 3 * GIB), "used " + 3 * GIB);
      for (int i = 0; i < 7; i++) {
        gpus.watch.lookNow();
      }
      run(gpus);
      run(gpus);
    }
  }

  @Test
  void a_process_of_ours_on_a_gpu_of_others_is_reported() throws Exception {
    try (var gpus = new WatchedGpus(stub.open())) {
      Job job = run(gpus);
      long pid = gpus.process(job);
      says("", "used %d\nprocess %d %d".formatted(3 * GIB, pid, 3 * GIB));
      gpus.watch.lookNow();

      assertThat(gpus.problems.lines().getFirst())
          .startsWith("sleep, pid " + pid + " of job 1 is on a GPU that is not its own (");
      assertThat(ProcessHandle.of(pid)).isPresent();
      Job both = gpus.submit(Specs.gpus(2));
      await(() -> gpus.reason(both).contains("GPU 1 used by sleep of"));
    }
  }

  @Test
  void and_killed_where_the_configuration_says_so() throws Exception {
    try (var gpus = new WatchedGpus(stub.open(), Trespass.KILL)) {
      Job job = run(gpus);
      long pid = gpus.process(job);
      says("", "used %d\nprocess %d %d\nprocess 1 %d".formatted(3 * GIB, pid, GIB, GIB));
      gpus.watch.lookNow();
      await(() -> ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty());
    }
  }
}
