package gflow.plan;

import static gflow.plan.Scene.BOB;
import static gflow.plan.Scene.G;
import static gflow.plan.Scene.NOW;
import static gflow.plan.Scene.by;
import static gflow.plan.Scene.id;
import static gflow.plan.Scene.limit;
import static gflow.plan.Scene.share;
import static gflow.plan.Scene.wants;
import static gflow.plan.Scene.wantsCpus;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.GpuFilter;
import gflow.job.GpuPart;
import gflow.job.GpuRequest;
import gflow.job.GpuRequest.None;
import gflow.job.GpuRequest.Whole;
import gflow.job.JobId;
import gflow.job.Ranges;
import gflow.job.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Law 6: the first that must wait is never delayed by who passes it. */
class ReservationTest {
  private static final Optional<Duration> ENDLESS = Optional.empty();
  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  void it_names_free_gpus_then_those_that_end_first_and_when() {
    var scene = Scene.of(4).runs(9, BOB, in(3), 0).runs(8, BOB, in(1), 2).runs(7, BOB, in(2), 3);

    assertThat(scene.waits(wants(1, 3)).plan().reservation())
        .contains(reservation(List.of(1, 2, 3), 0, 0, Optional.of(NOW.plus(HOUR.multipliedBy(2)))));
  }

  @Test
  void without_known_ends_it_names_who_runs_longest_and_outsiders_last() {
    var scene =
        Scene.of(4).runs(9, BOB, ENDLESS, 1).runs(8, BOB, ENDLESS, 2).runs(7, BOB, in(9), 3);
    scene.is(0, new Availability.Outsider("python of eve, pid 1, 2G"));

    assertThat(scene.waits(wants(1, 2)).plan().reservation())
        .contains(reservation(List.of(3, 2), 0, 0, Optional.empty()));
    assertThat(scene.waits(wants(1, 4)).plan().reservation())
        .contains(reservation(List.of(3, 2, 1, 0), 0, 0, Optional.empty()));
  }

  @Test
  void a_small_job_passes_if_it_ends_before_the_reserved_time() {
    var scene = Scene.of(2).runs(9, BOB, in(1), 0).waits(wants(1, 2));

    assertThat(scene.waits(limit(HOUR, wants(2, 1))).starts()).containsExactly("2:[1]");
    assertThat(scene.waits(limit(HOUR.plusSeconds(1), wants(2, 1))).starts()).isEmpty();
    assertThat(scene.waits(wants(2, 1)).starts()).isEmpty();
  }

  @Test
  void gpus_outside_the_reservation_are_given_to_anybody() {
    var scene = Scene.of(4).runs(9, BOB, in(1), 0).runs(8, BOB, in(1), 1).runs(7, BOB, in(2), 2);
    var a100 = new GpuFilter(Optional.empty(), List.of(0, 1, 2), List.of());
    var head = wants(1, new Request(1, 0, 0, wants(1, 2).request().gpus(), a100));

    assertThat(scene.waits(head, wants(2, 1)).starts()).containsExactly("2:[3]");
  }

  @Test
  void nobody_takes_the_fixed_set_where_ends_are_unknown() {
    var scene = Scene.of(3).runs(9, BOB, ENDLESS, 0).runs(8, BOB, ENDLESS, 1);
    scene.waits(wants(1, 2), limit(Duration.ofSeconds(1), wants(2, 1)));

    assertThat(scene.starts()).isEmpty();
    assertThat(scene.plan().reservation())
        .contains(reservation(List.of(2, 1), 0, 0, Optional.empty()));
  }

  @Test
  void cpus_that_it_needs_are_left_to_it() {
    var scene = Scene.of(0).runs(9, BOB, in(1), cpus(0, 3));
    scene.waits(wantsCpus(1, 6), wantsCpus(2, 3), wantsCpus(3, 2), wantsCpus(4, 1));
    scene.waits(limit(HOUR, wantsCpus(5, 2)));

    assertThat(scene.starts()).containsExactly("3:[]", "5:[]");
    assertThat(scene.plan().reservation())
        .contains(reservation(List.of(), 6, 0, Optional.of(NOW.plus(HOUR))));
  }

  @Test
  void all_that_ends_at_the_reserved_time_is_counted() {
    var scene = Scene.of(0).runs(9, BOB, in(1), cpus(0, 3)).runs(8, BOB, in(1), cpus(4, 6));

    assertThat(scene.waits(wantsCpus(1, 5), wantsCpus(2, 1)).starts()).containsExactly("2:[]");
  }

  @Test
  void cpus_are_saved_up_where_ends_are_unknown() {
    var scene = Scene.of(1).runs(9, BOB, ENDLESS, 0);
    var head = new Request(1, 6, 0, wants(1, 1).request().gpus(), GpuFilter.ANY);
    scene.waits(wants(1, head), wantsCpus(2, 3), wantsCpus(3, 2));

    assertThat(scene.starts()).containsExactly("3:[]");
  }

  @Test
  void memory_that_it_needs_is_left_to_it() {
    var scene = Scene.of(0).runs(9, BOB, in(1), new Allocation(List.of(), Ranges.EMPTY, 50 * G));
    scene.waits(bytes(1, 40), bytes(2, 14), bytes(3, 12), bytes(4, 12), limit(HOUR, bytes(5, 2)));

    assertThat(scene.starts()).containsExactly("2:[]");
    assertThat(scene.waits(bytes(2, 10)).starts()).containsExactly("2:[]", "5:[]");
  }

  @Test
  void a_share_reserves_the_gpu_where_it_fits_first() {
    var scene = Scene.of(2).runs(9, BOB, in(2), part(0, 800)).runs(8, BOB, in(1), part(1, 900));
    scene.waits(wants(1, share(500)), wants(2, share(100)));

    assertThat(scene.plan().reservation())
        .contains(reservation(List.of(1), 0, 0, Optional.of(NOW.plus(HOUR))));
    assertThat(scene.starts()).containsExactly("2:[0]");
  }

  @Test
  void a_share_reserves_the_gpu_with_most_room_where_ends_are_unknown() {
    var scene = Scene.of(2).runs(9, BOB, ENDLESS, part(0, 900)).runs(8, BOB, ENDLESS, part(1, 800));

    assertThat(scene.waits(wants(1, share(500))).plan().reservation())
        .contains(reservation(List.of(1), 0, 0, Optional.empty()));
  }

  @Test
  void a_share_waits_for_jobs_rather_than_for_outsiders() {
    var scene =
        Scene.of(2)
            .is(0, new Availability.Outsider("x"))
            .uses(0, 20 * G)
            .runs(8, BOB, ENDLESS, part(1, 900));

    assertThat(scene.waits(wants(1, share(500))).plan().reservation())
        .contains(reservation(List.of(1), 0, 0, Optional.empty()));
  }

  @Test
  void memory_is_never_reserved_on_a_gpu_that_is_too_small() {
    var scene = Scene.of(2).runs(9, BOB, ENDLESS, part(1, 1000));
    scene.gpus.set(1, new Gpu(id(1), 1, "big", 80 * G, Ranges.EMPTY, new Availability.Usable()));

    assertThat(scene.waits(wants(1, GpuRequest.memory(40 * G))).plan().reservation())
        .contains(reservation(List.of(1), 0, 0, Optional.empty()));
  }

  @Test
  void there_is_only_one_and_the_second_in_turn_may_be_passed() {
    var scene = Scene.of(4).runs(9, BOB, in(1), 0, 1).waits(wants(1, 3), wants(2, 2));

    assertThat(scene.waits(limit(HOUR, wants(3, 1)), limit(HOUR, wants(4, 1))).starts())
        .containsExactly("3:[2]", "4:[3]");
    assertThat(scene.plan().reservation().orElseThrow().job()).isEqualTo(new JobId(1));
  }

  @Test
  void what_waits_for_an_administrator_holds_up_nobody() {
    var scene = Scene.of(2).is(0, new Availability.Drained("fan")).waits(wants(1, 2), wants(2, 1));

    assertThat(scene.starts()).containsExactly("2:[1]");
    assertThat(scene.plan().reservation()).isEmpty();
  }

  @Test
  void a_job_that_names_a_drained_gpu_among_others_has_a_reservation_on_those() {
    var filter = new GpuFilter(Optional.empty(), List.of(0, 1), List.of());
    var named = wants(1, new Request(1, 0, 0, new Whole(1), filter));
    var scene = Scene.of(2).is(0, new Availability.Drained("fan")).runs(9, BOB, in(1), 1);

    assertThat(scene.waits(named).plan().reservation().orElseThrow().gpus()).containsExactly(id(1));
  }

  @Test
  void a_job_that_overran_its_limit_is_expected_to_go_at_once() {
    var scene = Scene.of(2).runs(9, BOB, Optional.of(Duration.ofSeconds(-5)), 0);

    assertThat(scene.waits(wants(1, 2), limit(HOUR, by(BOB, wants(2, 1)))).starts()).isEmpty();
  }

  private static Optional<Duration> in(int hours) {
    return Optional.of(HOUR.multipliedBy(hours));
  }

  private static Reservation reservation(
      List<Integer> gpus, int cpus, long memory, Optional<Instant> at) {
    return new Reservation(new JobId(1), gpus.stream().map(Scene::id).toList(), cpus, memory, at);
  }

  private static Candidate bytes(int job, long gigabytes) {
    return wants(job, new Request(1, 1, gigabytes * G, new None(), GpuFilter.ANY));
  }

  private static Allocation cpus(int first, int last) {
    return new Allocation(List.of(), Ranges.of(first, last), 0);
  }

  private static Allocation part(int index, int thousandths) {
    var grant =
        new GpuGrant(id(index), index, GpuPart.of(thousandths, 1000), 24 * G * thousandths / 1000);
    return new Allocation(List.of(grant), Ranges.EMPTY, 0);
  }
}
