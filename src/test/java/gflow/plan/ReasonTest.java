package gflow.plan;

import static gflow.plan.Scene.BOB;
import static gflow.plan.Scene.G;
import static gflow.plan.Scene.NOW;
import static gflow.plan.Scene.share;
import static gflow.plan.Scene.wants;
import static gflow.plan.Scene.wantsCpus;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Allocation;
import gflow.job.Dependencies;
import gflow.job.Dependencies.Kind;
import gflow.job.GpuFilter;
import gflow.job.GpuRequest;
import gflow.job.GpuRequest.None;
import gflow.job.GpuRequest.Whole;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.Ranges;
import gflow.job.Request;
import gflow.job.TaskId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Law 5: every wait has a reason, in these words. */
class ReasonTest {
  private static final Optional<Duration> ENDLESS = Optional.empty();

  @Test
  void gpus_are_missing() {
    var four = wants(1, 4);
    assertThat(Scene.of(4).runs(9, BOB, ENDLESS, 0, 1, 2).waits(four).why(four))
        .isEqualTo("Resources: Need 4 GPUs, only 1 available");

    var one = wants(1, 1);
    assertThat(Scene.of(1).runs(9, BOB, ENDLESS, 0).waits(one).why(one)).isEqualTo("Resources");
  }

  @Test
  void a_port_that_a_running_job_has_is_waited_for_and_two_never_start_at_once() {
    var scene = Scene.of(2);
    scene.holdings.add(
        new Holding(
            new TaskId(new JobId(9)),
            BOB,
            Optional.empty(),
            Allocation.NONE,
            NOW,
            Optional.empty(),
            List.of(),
            List.of(20_001, 12_355)));
    var first = ports(wants(1, 1), 12_355);
    var own = ports(wants(2, 1), 20_001);
    var array = ports(Scene.tasks(2, wants(3, 1)), 29_500);
    scene.waits(first, own, array);

    assertThat(scene.starts()).containsExactly("3:[0]");
    assertThat(scene.why(first)).isEqualTo("Resources: port 12355 is in use by job 9");
    assertThat(scene.why(own)).isEqualTo("Resources: port 20001 is in use by job 9");
    assertThat(scene.why(array)).isEqualTo("Resources: port 29500 is in use by job 3");
  }

  @Test
  void who_shares_a_request_with_the_one_before_has_reasons_of_its_own() {
    var scene = Scene.of(1).runs(9, BOB, ENDLESS, 0);
    scene.holdings.add(
        new Holding(
            new TaskId(new JobId(8)),
            BOB,
            Optional.of("thesis"),
            Allocation.NONE,
            NOW,
            Optional.empty(),
            List.of(),
            List.of(20_001)));
    var cap = new TreeMap<>(Map.of("thesis", Caps.ofTasks(1)));
    scene.limits = new UsageLimits(Caps.ofTasks(2), new TreeMap<>(), cap);
    var plain = wants(1, 1);
    var all =
        List.of(
            plain,
            Scene.by(BOB, plain),
            plain,
            Scene.project("thesis", plain),
            plain,
            ports(plain, 20_001),
            plain,
            wantsCpus(2, 1));
    var explainer = Planner.explain(scene.waits(plain).view());

    assertThat(all.stream().map(c -> explainer.why(c).text()))
        .containsExactly(
            "Resources",
            "QOSMaxJobsPerUserLimit",
            "Resources",
            "AssocGrpJobsLimit",
            "Resources",
            "Resources: port 20001 is in use by job 8",
            "Resources",
            "None");
  }

  private static Candidate ports(Candidate c, Integer... ports) {
    return new Candidate(
        c.job(),
        c.owner(),
        c.priority(),
        c.since(),
        c.request(),
        c.timeLimit(),
        c.project(),
        c.tasks(),
        List.of(ports));
  }

  @Test
  void an_outsider_is_named() {
    var scene = Scene.of(2).runs(9, BOB, ENDLESS, 1);
    scene.is(0, new Availability.Outsider("python of alice, pid 4711, 21.3G"));
    var one = wants(1, 1);

    assertThat(scene.waits(one).why(one))
        .isEqualTo(
            "Resources: Need 1 GPU, only 0 available;"
                + " GPU 0 used by python of alice, pid 4711, 21.3G");
  }

  @Test
  void what_is_lost_is_named_and_what_an_administrator_took_away_if_the_job_needs_it() {
    var scene = Scene.of(4).runs(9, BOB, ENDLESS, 3).is(0, new Availability.Drained("fan"));
    scene.is(1, new Availability.NotAllowed()).is(2, new Availability.Lost("Xid 79"));
    var one = wants(1, 1);
    var two = wants(2, 2);

    assertThat(scene.waits(one).why(one))
        .isEqualTo("Resources: Need 1 GPU, only 0 available; GPU 2 lost: Xid 79");
    assertThat(scene.waits(two).why(two))
        .isEqualTo(
            "Resources: Need 2 GPUs, only 0 available; GPU 0 drained: fan;"
                + " GPU 1 not allowed (gctl set-gpus); GPU 2 lost: Xid 79");
  }

  @Test
  void parts_of_gpus_are_missing() {
    var running = wants(9, share(750)).request();
    var scene = Scene.of(1).runs(9, BOB, ENDLESS, allocated(running));
    var share = wants(1, share(500));
    var memory = wants(2, GpuRequest.memory(8 * G));

    assertThat(scene.waits(share).why(share))
        .isEqualTo("Resources: Need 0.5 GPU, only 0.25 available");
    assertThat(scene.waits(memory).why(memory))
        .isEqualTo("Resources: Need 8G GPU memory, only 6G available");
  }

  @Test
  void cpus_and_memory_are_missing() {
    var held = new Allocation(List.of(), Ranges.firstN(6), 54 * G);
    var scene = Scene.of(0).runs(9, BOB, ENDLESS, held);
    var cpus = wantsCpus(1, 8);
    var memory = wants(2, new Request(1, 1, 32 * G, new None(), GpuFilter.ANY));

    assertThat(scene.waits(cpus).why(cpus)).isEqualTo("Resources: Need 8 CPUs, only 2 available");
    assertThat(scene.waits(memory).why(memory))
        .isEqualTo("Resources: Need 32G memory, only 10G available");
  }

  @Test
  void what_fits_but_is_kept_for_another_waits_by_priority() {
    var scene = Scene.of(2).runs(9, BOB, ENDLESS, 0).waits(wants(1, 2), wants(2, 1));

    assertThat(scene.why(wants(2, 1))).isEqualTo("Priority");
  }

  @Test
  void what_starts_has_none_and_so_has_who_could_start_but_is_not_in_the_book() {
    var scene = Scene.of(2).waits(wants(1, 1));

    assertThat(scene.why(wants(1, 1))).isEqualTo("None");
    assertThat(scene.why(wants(2, 1))).isEqualTo("None");
    assertThat(scene.why(wants(2, 2))).isEqualTo("Resources: Need 2 GPUs, only 1 available");
  }

  @Test
  void what_cannot_run_since_the_machine_changed_says_so() {
    var scene = Scene.of(2).waits(wants(1, 4), wants(2, 1));

    assertThat(scene.why(wants(1, 4))).isEqualTo("Need 4 GPUs, the machine has 2 (change --gpus)");
    assertThat(scene.starts()).containsExactly("2:[0]");
  }

  @Test
  void the_daemons_own_reasons() {
    var at41 = new Dependencies.Dependency(Kind.AFTEROK, ref(41), Duration.ZERO);
    var at43 = new Dependencies.Dependency(Kind.AFTER, ref(43), Duration.ZERO);
    var single = new Dependencies.Dependency(Kind.SINGLETON, Optional.empty(), Duration.ZERO);

    assertThat(
            List.of(
                new Reason.Dependency(List.of(at41, at43, at41)),
                new Reason.Dependency(List.of(single)),
                new Reason.DependencyNeverSatisfied(),
                new Reason.BeginTime(NOW),
                new Reason.JobHeldUser(),
                new Reason.JobArrayTaskLimit(2),
                new Reason.Disk(G)))
        .extracting(Reason::text)
        .containsExactly(
            "Dependency: 41,43",
            "Dependency: singleton",
            "DependencyNeverSatisfied",
            "BeginTime",
            "JobHeldUser",
            "JobArrayTaskLimit",
            "Resources: less than 1G of disk free");
  }

  @Test
  void what_never_fits_is_refused_with_the_flag_to_change() {
    assertThat(never(4, new Whole(8))).contains("Need 8 GPUs, the machine has 4 (change --gpus)");
    assertThat(never(0, new Whole(1)))
        .contains("Need 1 GPU, this machine has none (gbatch without --gpus runs on CPUs)");
    assertThat(never(0, share(500)))
        .contains("Need 0.5 GPU, this machine has none (gbatch without --gpus runs on CPUs)");
    assertThat(never(1, GpuRequest.memory(48 * G)))
        .contains("Need 48G GPU memory, the largest GPU has 24G (change --gpu-memory)");
    assertThat(never(4, new Whole(4))).isEmpty();
    assertThat(never(0, new None())).isEmpty();
  }

  @Test
  void filters_that_leave_too_little_are_named() {
    assertThat(never(1, new GpuFilter(Optional.of("a100"), List.of(), List.of())))
        .contains("No GPU of type a100 here; there is: sim (change --gpu-type)");
    assertThat(never(1, new GpuFilter(Optional.empty(), List.of(0, 7, 8), List.of())))
        .contains("No GPU 7-8 here; there is: 0-3 (change --gpu-ids)");
    assertThat(never(2, new GpuFilter(Optional.empty(), List.of(1), List.of())))
        .contains(
            "Need 2 GPUs, the machine has 1 that --gpu-ids allows (change --gpus or --gpu-ids)");
    assertThat(never(1, new GpuFilter(Optional.of("sim"), List.of(1), List.of(1))))
        .contains(
            "Need 1 GPU, the machine has 0 that --gpu-type and --gpu-ids and --exclude-gpus allow"
                + " (change --gpus or --gpu-type, --gpu-ids, --exclude-gpus)");
  }

  @Test
  void too_many_cpus_and_too_much_memory_are_refused() {
    assertThat(never(new Request(1, 64, 0, new None(), GpuFilter.ANY)))
        .contains("Need 64 CPUs, the machine has 8 (change --cpus-per-task)");
    assertThat(never(new Request(9, 0, 0, new None(), GpuFilter.ANY)))
        .contains(
            "Need 9 CPUs, the machine has 8 (change --ntasks, or share the CPUs by --overcommit)");
    assertThat(never(new Request(3, 3, 0, new None(), GpuFilter.ANY)))
        .contains(
            "Need 9 CPUs, the machine has 8 (change --ntasks or --cpus-per-task, or share the CPUs"
                + " by --overcommit)");
    assertThat(never(new Request(1, 1, 512 * G, new None(), GpuFilter.ANY)))
        .contains("Need 512G memory, the machine has 64G (change --mem)");
  }

  @Test
  void gpus_that_are_out_of_service_count_as_there() {
    var scene = Scene.of(2).is(0, new Availability.Lost("x")).is(1, new Availability.NotAllowed());

    assertThat(Planner.never(scene.machine(), wants(1, 2).request())).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "34359738368, 32G, 32G",
    "1610612736, 1.5G, 1.5G",
    "1572864000, 1500M, 1.4G",
    "34359738367, 34359738367, 31.9G",
    "1023, 1023, 1023",
    "0, 0, 0",
    "-5, -5, 0"
  })
  void sizes_are_exact_where_asked_for_and_rounded_down_where_free(
      long bytes, String asked, String free) {
    assertThat(Amount.exactly(bytes)).isEqualTo(asked);
    assertThat(Amount.atLeast(bytes)).isEqualTo(free);
  }

  private static Optional<JobRef> ref(int id) {
    return Optional.of(new JobRef.ById(new JobId(id)));
  }

  private static Allocation allocated(Request request) {
    return new FreeResources(Scene.of(1).machine())
        .fit(request, FreeResources.Bounds.NONE)
        .orElseThrow();
  }

  private static Optional<String> never(int gpus, GpuRequest request) {
    var machine = Scene.of(gpus).machine();
    return Planner.never(machine, new Request(1, 0, 0, request, GpuFilter.ANY)).map(Reason::text);
  }

  private static Optional<String> never(int count, GpuFilter filter) {
    return never(new Request(1, 0, 0, new Whole(count), filter));
  }

  private static Optional<String> never(Request request) {
    return Planner.never(Scene.of(4).machine(), request).map(Reason::text);
  }
}
