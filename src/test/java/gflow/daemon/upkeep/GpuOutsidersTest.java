package gflow.daemon.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.config.Config;
import gflow.daemon.core.OperatorControls;
import gflow.gpu.GpuProcess;
import gflow.gpu.GpuReading;
import gflow.job.Allocation.GpuGrant;
import gflow.job.AttemptId;
import gflow.job.GpuId;
import gflow.job.GpuPart;
import gflow.job.JobId;
import gflow.job.TaskId;
import gflow.local.AttemptMarks;
import gflow.plan.UsageLimits;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A process of ours is at home on the GPUs of its job, and a stranger on one that came back. */
class GpuOutsidersTest {
  private static final GpuId GPU = new GpuId("GPU-3");
  private static final GpuId OTHER = new GpuId("GPU-4");

  private Process process;

  @BeforeEach
  void start() throws Exception {
    var builder = new ProcessBuilder("sleep", "60");
    builder.environment().put("GFLOW_MARK", mark());
    process = builder.start();
  }

  @AfterEach
  void stop() {
    process.destroyForcibly();
  }

  private static String mark() {
    var attempt = new AttemptId(new TaskId(new JobId(42)), 1);
    return new AttemptMarks("ours", "secret", AttemptMarks.Early.NONE).of(attempt).value();
  }

  private boolean stranger(String daemon, Map<String, List<GpuId>> places) {
    return stranger(new AttemptMarks(daemon, "secret", AttemptMarks.Early.NONE), places);
  }

  private boolean stranger(AttemptMarks marks, Map<String, List<GpuId>> places) {
    var rules = new GpuWatch.Rules(0, List.of(), List.of(), Config.Trespass.REPORT, marks);
    return new GpuOutsiders(rules)
        .on(List.of(reading()), OperatorControls.none(UsageLimits.NONE), places)
        .containsKey(GPU);
  }

  private GpuReading reading() {
    return reading(false);
  }

  private GpuReading reading(boolean mps) {
    var seen = new GpuProcess(process.pid(), "ann", "python", OptionalLong.of(1L << 30), mps);
    return new GpuReading(
        GPU,
        OptionalLong.of(3L << 30),
        OptionalInt.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        List.of(seen),
        Optional.empty());
  }

  @Test
  void what_our_processes_use_counts_as_promised_as_far_as_it_was() {
    var marks = new AttemptMarks("ours", "secret", AttemptMarks.Early.NONE);
    var ours =
        new GpuOutsiders(new GpuWatch.Rules(0, List.of(), List.of(), Config.Trespass.REPORT, marks))
            .ours(List.of(reading()));
    assertThat(ours).isEqualTo(Map.of(GPU, Map.of("42.1", 1L << 30)));

    var promised = List.of(new GpuGrant(GPU, 3, GpuPart.NONE, 1L << 29));
    assertThat(beyond(Map.of("42.1", promised), ours, 0)).isEqualTo((5L << 30) / 2);
    assertThat(beyond(Map.of(), ours, 0)).isEqualTo(3L << 30);
    assertThat(beyond(Map.of(), Map.of(), 3L << 30)).isEqualTo(0);
  }

  private long beyond(
      Map<String, List<GpuGrant>> promises, Map<GpuId, Map<String, Long>> ours, long little) {
    return MemoryInUse.beyond(promises, List.of(reading()), ours, little).getOrDefault(GPU, 0L);
  }

  @Test
  void where_the_driver_does_not_say_all_may_be_in_use() {
    var silent =
        new GpuReading(
            GPU,
            OptionalLong.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            reading().compute(),
            Optional.empty());
    assertThat(MemoryInUse.beyond(Map.of(), List.of(silent), Map.of(), 0).get(GPU))
        .isGreaterThan(1L << 60);
    assertThat(MemoryInUse.beyond(Map.of(), List.of(GpuReading.none(GPU)), Map.of(), 0)).isEmpty();
  }

  @Test
  void who_carries_our_mark_is_at_home_and_others_are_not() {
    assertThat(stranger("ours", Map.of())).isFalse();
    assertThat(stranger("theirs", Map.of())).isTrue();
    assertThat(stranger("our", Map.of())).isTrue();
  }

  @Test
  void a_mark_that_was_guessed_is_none() {
    assertThat(
            stranger(new AttemptMarks("ours", "another secret", AttemptMarks.Early.NONE), Map.of()))
        .isTrue();
  }

  /** It was started by the release before, whose marks had no secret. */
  @Test
  void what_an_earlier_release_started_is_at_home_too() throws Exception {
    process.destroyForcibly().waitFor();
    var builder = new ProcessBuilder("sleep", "60");
    builder.environment().put("GFLOW_MARK", "gflow-0-1f-42.1");
    process = builder.start();

    var early = new AttemptMarks.Early("gflow-0-1f", Set.of("42.1"));
    assertThat(stranger(new AttemptMarks("ours", "secret", early), Map.of())).isFalse();
    early = new AttemptMarks.Early("gflow-0-1f", Set.of("43.1"));
    assertThat(stranger(new AttemptMarks("ours", "secret", early), Map.of())).isTrue();
  }

  @Test
  void the_server_that_our_jobs_share_is_no_stranger_and_none_of_them() throws Exception {
    process.destroyForcibly().waitFor();
    var marks = new AttemptMarks("ours", "secret", AttemptMarks.Early.NONE);
    var builder = new ProcessBuilder("sleep", "60");
    builder.environment().put("GFLOW_MARK", marks.ofMps("0123456789ab").value());
    process = builder.start();

    assertThat(stranger("ours", Map.of("42.1", List.of(OTHER)))).isFalse();
    var seen = outsiders(marks);
    assertThat(seen.trespassers(List.of(reading()), Map.of("42.1", List.of(OTHER)))).isEmpty();
    assertThat(seen.ours(List.of(reading())).get(GPU)).doesNotContainKey("42.1");
  }

  @Test
  void who_runs_beside_the_server_is_named() {
    var seen = outsiders(new AttemptMarks("ours", "secret", AttemptMarks.Early.NONE));

    assertThat(seen.withoutMps(List.of(reading(false)), Map.of(GPU, 3)))
        .isEqualTo(Map.of("42.1", "pid " + process.pid() + " on GPU 3 runs without MPS"));
    assertThat(seen.withoutMps(List.of(reading(true)), Map.of(GPU, 3))).isEmpty();
  }

  private static GpuOutsiders outsiders(AttemptMarks marks) {
    return new GpuOutsiders(
        new GpuWatch.Rules(0, List.of(), List.of(), Config.Trespass.REPORT, marks));
  }

  @Test
  void on_a_gpu_that_its_job_gave_back_it_is_a_stranger() {
    assertThat(stranger("ours", Map.of("42.1", List.of(GPU, OTHER)))).isFalse();
    assertThat(stranger("ours", Map.of("42.1", List.of(OTHER)))).isTrue();
    assertThat(stranger("ours", Map.of("42.10", List.of(OTHER)))).isFalse();
  }
}
