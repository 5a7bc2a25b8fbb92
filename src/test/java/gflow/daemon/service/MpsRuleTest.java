package gflow.daemon.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.config.Config;
import gflow.config.Config.Fencing;
import gflow.daemon.core.Refusal;
import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.AttemptId;
import gflow.job.FenceReason;
import gflow.job.GpuFilter;
import gflow.job.GpuId;
import gflow.job.GpuPart;
import gflow.job.GpuRequest;
import gflow.job.GpuRequest.Shared;
import gflow.job.GpuRequest.Whole;
import gflow.job.JobId;
import gflow.job.JobSpec;
import gflow.job.MpsReason;
import gflow.job.Program;
import gflow.job.Ranges;
import gflow.job.Request;
import gflow.job.RequestedOptions;
import gflow.job.SampleSpec;
import gflow.job.Sweep;
import gflow.job.TaskId;
import gflow.local.mps.MpsKey;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class MpsRuleTest {
  private static final MpsRule HERE = rule(true, Optional.empty());
  private static final GpuRequest QUARTER = GpuRequest.part(GpuPart.of(1, 4));

  private static MpsRule rule(boolean installed, Optional<MpsReason> instead) {
    return new MpsRule(Config.Mps.AUTO, installed, instead, 24L << 30);
  }

  private static JobSpec spec(GpuRequest gpus, String... options) {
    var asked = new TreeMap<String, String>();
    for (String option : options) {
      asked.put(option.replaceFirst("=.*", ""), option.replaceFirst("[^=]*=?", ""));
    }
    return SampleSpec.of(new Program.ShellLine("x"))
        .withRequest(new Request(1, 0, 0, gpus, GpuFilter.ANY))
        .withAsked(new RequestedOptions(asked));
  }

  private static JobSpec array(JobSpec spec, int count, int limit) {
    return spec.withTasks(new JobSpec.Tasks(Optional.of(Ranges.firstN(count)), Sweep.NONE, limit));
  }

  private static Optional<MpsReason> decided(MpsRule rule, JobSpec spec) throws Refusal {
    return MpsReason.of(rule.decided(spec).asked());
  }

  private static Optional<MpsReason> decided(JobSpec spec) throws Refusal {
    return decided(HERE, spec);
  }

  // ---- auto ----

  @Test
  void who_puts_several_programs_on_a_gpu_gets_a_server_without_asking() throws Refusal {
    assertThat(decided(spec(new Whole(2), "spread", "ntasks=4"))).contains(MpsReason.AUTO);
    assertThat(decided(spec(new Whole(2), "spread", "ntasks=3"))).contains(MpsReason.AUTO);
    assertThat(decided(array(spec(QUARTER), 4, 0))).contains(MpsReason.AUTO);
    var lines = new TreeMap<>(Map.of("gpu-bind", "spread"));
    assertThat(decided(spec(new Whole(1), "ntasks=8").withLabels(lines))).contains(MpsReason.AUTO);
  }

  @Test
  void one_program_on_each_gpu_gets_none() throws Refusal {
    assertThat(decided(spec(new Whole(4), "spread", "ntasks=4"))).isEmpty();
    assertThat(decided(spec(new Whole(1), "ntasks=8"))).isEmpty();
    assertThat(decided(spec(new GpuRequest.None(), "spread", "ntasks=8"))).isEmpty();
    assertThat(decided(array(spec(GpuRequest.part(GpuPart.of(2, 3))), 4, 0))).isEmpty();
    assertThat(decided(array(spec(QUARTER), 4, 1))).isEmpty();
    assertThat(decided(spec(QUARTER))).isEmpty();
    assertThat(decided(array(spec(new Whole(1)), 8, 0))).isEmpty();
  }

  @Test
  void what_was_not_asked_for_is_left_out_where_it_cannot_be() throws Refusal {
    JobSpec eight = spec(new Whole(1), "spread", "ntasks=8");

    assertThat(decided(rule(false, Optional.empty()), eight)).isEmpty();
    assertThat(decided(rule(true, Optional.of(MpsReason.SIMULATED)), eight)).isEmpty();
    assertThat(decided(spec(new Whole(1), "spread", "ntasks=49"))).isEmpty();
    assertThat(decided(array(spec(new Shared(2, GpuPart.of(1, 4), 0, false)), 8, 0))).isEmpty();
    assertThat(decided(new MpsRule(Config.Mps.OFF, true, Optional.empty(), 1), eight)).isEmpty();
    assertThat(decided(spec(new Whole(1), "spread", "ntasks=8", "mps=off")))
        .contains(MpsReason.OFF);
  }

  // ---- asked ----

  @Test
  void who_asks_gets_it_or_hears_why_not() throws Refusal {
    assertThat(decided(spec(new Whole(1), "mps=asked"))).contains(MpsReason.ASKED);
    assertThat(decided(spec(QUARTER, "mps=asked"))).contains(MpsReason.ASKED);
    Request elastic = new Request(1, 0, 0, new Whole(1), GpuFilter.ANY).upTo(4);
    assertThat(decided(spec(new Whole(1), "mps=asked").withRequest(elastic)))
        .contains(MpsReason.ELASTIC);
    assertThat(decided(spec(new Shared(2, GpuPart.of(1, 4), 0, false), "mps=asked")))
        .contains(MpsReason.PARTS);
    assertThat(decided(rule(false, Optional.of(MpsReason.MIG)), spec(QUARTER, "mps=asked")))
        .contains(MpsReason.MIG);
    assertThat(MpsReason.PARTS.warning())
        .contains("an MPS server is for parts of one GPU, not of several: --mps does nothing here");
  }

  @Test
  void what_cannot_be_is_refused_with_what_to_write() {
    refused(
        rule(false, Optional.empty()),
        spec(QUARTER, "mps=asked"),
        "--mps: nvidia-cuda-mps-control is not here; it comes with the NVIDIA driver"
            + " (gflow doctor says how); leave --mps out");
    refused(
        HERE,
        spec(new Whole(2), "spread", "ntasks=97", "mps=asked"),
        "--mps: 49 programs would share a GPU, and MPS takes 48; write fewer --ntasks or more"
            + " --gpus, or leave --mps out");
    refused(
        HERE,
        array(spec(GpuRequest.part(GpuPart.of(1, 100)), "mps=asked"), 1000, 0),
        "--mps: 100 programs would share a GPU, and MPS takes 48; write larger parts"
            + " (--gpus 1/48), or leave --mps out");
    refused(
        HERE,
        array(spec(GpuRequest.memory(1L << 28), "mps=asked"), 1000, 60),
        "--mps: 60 programs would share a GPU, and MPS takes 48; write larger parts"
            + " (--gpus 1/48), or leave --mps out");
  }

  private static void refused(MpsRule rule, JobSpec spec, String line) {
    assertThatThrownBy(() -> rule.decided(spec)).isInstanceOf(Refusal.class).hasMessage(line);
  }

  // ---- the fence with it ----

  @Test
  void its_programs_count_its_own_gpus_unless_that_was_refused() throws Refusal {
    var fences = new FenceRule(Fencing.AUTO, 4, Optional::empty);

    assertThat(fences.decided(spec(QUARTER, "mps=asked")).fence()).contains(FenceReason.MPS);
    assertThat(fences.decided(spec(new Whole(4), "mps=asked")).fence()).isEmpty();
    assertThat(fences.decided(spec(QUARTER, "mps=asked", "fence=off")).fence()).isEmpty();
    assertThat(fences.decided(spec(QUARTER, "mps=parts")).fence()).isEmpty();
    assertThat(
            new FenceRule(Fencing.AUTO, 4, () -> Optional.of("no"))
                .decided(spec(QUARTER, "mps=auto"))
                .fence())
        .isEmpty();
  }

  // ---- which server ----

  private static String key(JobSpec spec, int job, int task, GpuPart part, int... gpus) {
    List<GpuGrant> grants =
        IntStream.of(gpus).mapToObj(n -> new GpuGrant(new GpuId("GPU-" + n), n, part, 0)).toList();
    var id = new AttemptId(new TaskId(new JobId(job), task, 0), 1);
    return MpsKey.of(spec, id, new Allocation(grants, Ranges.EMPTY, 0))
        .map(MpsKey::name)
        .orElse("none");
  }

  @Test
  void jobs_share_a_server_only_if_each_asked_for_it() {
    GpuPart part = GpuPart.of(1, 4);
    JobSpec asked = spec(QUARTER, "mps=asked");
    JobSpec auto = array(spec(QUARTER, "mps=auto"), 4, 0);

    assertThat(key(asked, 7, 0, part, 2)).isEqualTo(key(asked, 9, 0, part, 2));
    assertThat(key(asked, 7, 0, part, 2)).isNotEqualTo(key(asked, 9, 0, part, 3));
    assertThat(key(auto, 7, 0, part, 2)).isEqualTo(key(auto, 7, 1, part, 2));
    assertThat(key(auto, 7, 0, part, 2)).isNotEqualTo(key(auto, 20, 0, part, 2));
    assertThat(key(auto, 7, 0, part, 2)).isNotEqualTo(key(asked, 7, 0, part, 2));
    JobSpec whole = spec(new Whole(2), "mps=asked");
    assertThat(key(whole, 7, 0, GpuPart.WHOLE, 2, 3)).isEqualTo("attempt 7.1");
    assertThat(key(whole, 8, 0, GpuPart.WHOLE, 2, 3)).isEqualTo("attempt 8.1");
    assertThat(key(spec(QUARTER), 7, 0, part, 2)).isEqualTo("none");
    assertThat(key(asked, 7, 0, part, 2, 3)).isEqualTo("none");
  }
}
