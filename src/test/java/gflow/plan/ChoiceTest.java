package gflow.plan;

import static gflow.plan.Scene.ANN;
import static gflow.plan.Scene.G;
import static gflow.plan.Scene.id;
import static gflow.plan.Scene.share;
import static gflow.plan.Scene.wants;
import static gflow.plan.Scene.wantsCpus;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.GpuFilter;
import gflow.job.GpuPart;
import gflow.job.GpuRequest;
import gflow.job.GpuRequest.Whole;
import gflow.job.Ranges;
import gflow.job.Request;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which GPUs and CPUs a job gets. */
class ChoiceTest {
  private static final Optional<Duration> ENDLESS = Optional.empty();

  @Test
  void whole_gpus_are_the_lowest_that_are_entirely_free_and_usable() {
    var scene = Scene.of(6).runs(9, ANN, ENDLESS, part(0, 250));
    scene.is(2, new Availability.Drained("fan")).is(3, new Availability.Outsider("x"));

    assertThat(scene.waits(wants(1, 2)).starts()).containsExactly("1:[1, 4]");
  }

  @Test
  void a_whole_gpu_comes_with_all_its_memory() {
    assertThat(Scene.of(1).waits(wants(1, 1)).plan().starts().getFirst().allocation())
        .isEqualTo(
            new Allocation(
                List.of(new GpuGrant(id(0), 0, GpuPart.WHOLE, 24 * G)), Ranges.EMPTY, 0));
  }

  @Test
  void a_filter_is_honoured() {
    var scene = Scene.of(4);
    scene.gpus.set(3, new Gpu(id(3), 3, "NVIDIA A100-SXM4-80GB", 80 * G, Ranges.EMPTY, usable()));

    var type = new GpuFilter(Optional.of("a100"), List.of(), List.of());
    var only = new GpuFilter(Optional.empty(), List.of(1, 2), List.of());
    var exclude = new GpuFilter(Optional.empty(), List.of(), List.of(0));
    scene.waits(filtered(1, type), filtered(2, only), filtered(3, exclude));
    assertThat(scene.starts()).containsExactly("1:[3]", "2:[1]", "3:[2]");
  }

  @ParameterizedTest
  @CsvSource({
    "a100, true",
    "A100, true",
    "A100-SXM4, true",
    "sxm4, true",
    "a10, false",
    "100, false",
    "nvidia_a100, true",
    "a100sxm4, true",
    "a100-80gb, false",
    "h100, false"
  })
  void a_type_is_one_or_more_words_of_the_model(String type, boolean is) {
    var gpu = new Gpu(id(0), 0, "NVIDIA A100-SXM4-80GB", 80 * G, Ranges.EMPTY, usable());

    assertThat(gpu.isOfType(type)).isEqualTo(is);
  }

  @Test
  void shares_fill_the_fullest_gpu_that_fits_before_a_free_one() {
    var scene = Scene.of(4).runs(9, ANN, ENDLESS, part(1, 250)).runs(8, ANN, ENDLESS, part(2, 500));
    scene.waits(wants(1, share(500)), wants(2, share(500)), wants(3, share(500)));

    assertThat(scene.starts()).containsExactly("1:[2]", "2:[1]", "3:[0]");
  }

  @Test
  void parts_that_are_spread_go_where_most_is_left() {
    var scene = Scene.of(3).runs(9, ANN, ENDLESS, part(0, 500)).runs(8, ANN, ENDLESS, part(1, 250));
    var spread = new GpuRequest.Shared(1, GpuPart.of(1, 2), 0, true);
    var memory = new GpuRequest.Shared(1, GpuPart.NONE, 2 * G, true);
    scene.waits(wants(1, spread), wants(2, spread), wants(3, spread), wants(4, memory));

    assertThat(scene.starts()).containsExactly("1:[2]", "2:[1]", "3:[0]", "4:[2]");
  }

  @Test
  void several_are_named_in_the_machines_order_whatever_room_they_have() {
    var scene = Scene.of(3).runs(9, ANN, ENDLESS, part(0, 500)).runs(8, ANN, ENDLESS, part(1, 250));
    scene.waits(wants(1, new GpuRequest.Shared(3, GpuPart.NONE, 2 * G, true)));

    assertThat(scene.starts()).containsExactly("1:[0, 1, 2]");
  }

  @Test
  void thirds_and_sixteenths_fill_a_gpu_and_no_more() {
    for (int of : List.of(3, 7, 16, 36)) {
      var scene = Scene.of(1);
      for (int job = 1; job <= of + 1; job++) {
        scene.waits(wants(job, GpuRequest.part(GpuPart.of(1, of))));
      }
      assertThat(scene.starts()).hasSize(of);
    }
  }

  @Test
  void a_part_may_have_memory_of_its_own() {
    var small = new GpuRequest.Shared(1, GpuPart.of(1, 4), 2 * G, false);
    var large = new GpuRequest.Shared(1, GpuPart.of(1, 4), 21 * G, false);
    var scene = Scene.of(1).waits(wants(1, small), wants(2, large), wants(3, small));

    assertThat(scene.starts()).containsExactly("1:[0]", "2:[0]");
  }

  @Test
  void memory_on_several_gpus_is_on_each_of_them() {
    var four = new GpuRequest.Shared(2, GpuPart.NONE, 20 * G, false);
    var scene = Scene.of(3).runs(9, ANN, ENDLESS, part(1, 500)).waits(wants(1, four));

    assertThat(scene.starts()).containsExactly("1:[0, 2]");
    assertThat(scene.plan().starts().getFirst().allocation().gpus())
        .extracting(GpuGrant::memory)
        .containsExactly(20 * G, 20 * G);
    scene.waits(wants(2, four));
    assertThat(Planner.why(scene.view(), wants(2, four)).text())
        .isEqualTo("Resources: Need 20G GPU memory on 2, only 0 available");
  }

  @Test
  void a_job_of_several_gpus_gets_equal_ones_where_it_can() {
    var scene = Scene.of(4);
    scene.gpus.set(0, new Gpu(id(0), 0, "NVIDIA A100", 80 * G, Ranges.EMPTY, usable()));
    scene.gpus.set(2, new Gpu(id(2), 2, "NVIDIA A100", 80 * G, Ranges.EMPTY, usable()));

    assertThat(scene.waits(wants(1, 2)).starts()).containsExactly("1:[0, 2]");
    assertThat(Scene.of(0).starts()).isEmpty();
    scene.gpus.set(2, new Gpu(id(2), 2, "NVIDIA H100", 80 * G, Ranges.EMPTY, usable()));
    assertThat(scene.starts()).containsExactly("1:[1, 3]");
    assertThat(scene.waits(wants(2, 3)).starts()).containsExactly("1:[1, 3]");
  }

  @Test
  void beside_an_outsider_there_is_room_for_memory_but_not_for_a_whole_gpu() {
    var outsider = new Availability.Outsider("python of bob");
    var scene = Scene.of(1).is(0, outsider).uses(0, 10 * G);
    var fits = GpuRequest.memory(14 * G);
    var more = GpuRequest.memory(15 * G);

    assertThat(scene.waits(wants(1, fits)).starts()).containsExactly("1:[0]");
    var other = Scene.of(1).is(0, outsider).uses(0, 10 * G).waits(wants(1, 1));
    assertThat(other.starts()).isEmpty();
    other = Scene.of(1).is(0, outsider).uses(0, 10 * G).waits(wants(1, more));
    assertThat(other.starts()).isEmpty();
    assertThat(Planner.why(other.view(), wants(1, more)).text())
        .isEqualTo("Resources: GPU 0 has 14G of 24G free, 15G asked");
    other = Scene.of(1).is(0, new Availability.Locked("another gflow")).waits(wants(1, fits));
    assertThat(other.starts()).isEmpty();
  }

  @Test
  void what_a_job_uses_beyond_its_promise_is_not_promised_to_another() {
    var half = GpuRequest.part(GpuPart.of(1, 2));
    var scene = Scene.of(1).runs(9, ANN, ENDLESS, part(0, 500)).waits(wants(1, half));

    assertThat(scene.starts()).containsExactly("1:[0]");
    assertThat(scene.uses(0, 2 * G).starts()).isEmpty();
    assertThat(Planner.why(scene.view(), wants(1, half)).text())
        .isEqualTo("Resources: GPU 0 has 10G of 24G free, 12G asked");
  }

  @Test
  void a_share_books_the_same_part_of_the_memory() {
    var scene = Scene.of(1).waits(wants(1, share(250)), wants(2, GpuRequest.memory(19 * G)));

    assertThat(scene.plan().starts().getFirst().allocation().gpus())
        .containsExactly(new GpuGrant(id(0), 0, GpuPart.of(250, 1000), 6 * G));
    assertThat(scene.starts()).containsExactly("1:[0]");
  }

  @Test
  void memory_is_booked_without_a_share() {
    var scene =
        Scene.of(1).waits(wants(1, GpuRequest.memory(20 * G)), wants(2, GpuRequest.memory(4 * G)));

    assertThat(scene.plan().starts())
        .extracting(start -> start.allocation().gpus().getFirst())
        .containsExactly(
            new GpuGrant(id(0), 0, GpuPart.NONE, 20 * G),
            new GpuGrant(id(0), 0, GpuPart.NONE, 4 * G));
  }

  @Test
  void memory_that_is_promised_leaves_less_to_share() {
    var scene = Scene.of(1).waits(wants(1, GpuRequest.memory(12 * G)));

    assertThat(scene.waits(wants(2, share(501))).starts()).containsExactly("1:[0]");
    assertThat(scene.waits(wants(2, share(500))).starts()).containsExactly("1:[0]", "2:[0]");
  }

  @Test
  void nobody_shares_a_gpu_that_is_held_whole() {
    var scene = Scene.of(1).runs(9, ANN, ENDLESS, 0);

    assertThat(scene.waits(wants(1, share(1)), wants(2, GpuRequest.memory(1))).starts()).isEmpty();
  }

  @Test
  void cpus_are_the_lowest_near_the_gpu_then_the_lowest() {
    var scene = Scene.of(1);
    scene.gpus.set(0, new Gpu(id(0), 0, "sim", 24 * G, Ranges.of(4, 7), usable()));
    scene.waits(wantsCpus(1, 2), wants(2, new Request(3, 2, 0, new Whole(1), GpuFilter.ANY)));

    assertThat(scene.plan().starts())
        .extracting(start -> start.allocation().cpus().toString())
        .containsExactly("0-1", "2-7");

    scene.book.put(wants(2, new Request(1, 3, 0, new Whole(1), GpuFilter.ANY)));
    assertThat(scene.plan().starts())
        .extracting(start -> start.allocation().cpus().toString())
        .containsExactly("0-1", "4-6");
  }

  @Test
  void a_shared_gpu_is_filled_before_a_smaller_one_that_is_free() {
    var scene = Scene.of(2).runs(9, ANN, ENDLESS, part(1, 250));
    scene.gpus.set(0, new Gpu(id(0), 0, "small", 8 * G, Ranges.EMPTY, usable()));

    assertThat(scene.waits(wants(1, GpuRequest.memory(4 * G))).starts()).containsExactly("1:[1]");
  }

  @Test
  void cpus_near_the_gpu_that_are_held_are_not_given_again() {
    var scene = Scene.of(1);
    scene.gpus.set(0, new Gpu(id(0), 0, "sim", 24 * G, Ranges.of(4, 7), usable()));
    scene.runs(9, ANN, ENDLESS, new Allocation(List.of(), Ranges.of(4, 6), 0));
    scene.waits(wants(1, new Request(1, 2, 0, new Whole(1), GpuFilter.ANY)));

    assertThat(scene.plan().starts().getFirst().allocation().cpus()).hasToString("0,7");
  }

  @Test
  void cpus_that_the_machine_lost_do_not_come_back_with_the_job_that_holds_them() {
    var scene = Scene.of(0);
    scene.cpus = Ranges.firstN(4);
    var held = new Allocation(List.of(), Ranges.of(2, 7), 0);
    scene.runs(9, ANN, Optional.of(Duration.ofHours(1)), held);

    assertThat(scene.waits(wantsCpus(1, 3), wantsCpus(2, 2)).starts()).isEmpty();
  }

  @Test
  void a_machine_that_promised_more_memory_than_it_has_still_runs_who_needs_none() {
    var scene = Scene.of(0);
    scene.runs(9, ANN, ENDLESS, new Allocation(List.of(), Ranges.EMPTY, 65 * G));

    assertThat(scene.waits(wantsCpus(1, 1)).starts()).containsExactly("1:[]");
  }

  @Test
  void memory_of_the_machine_is_counted_only_where_it_was_asked_for() {
    var scene = Scene.of(0);
    scene.runs(9, ANN, ENDLESS, new Allocation(List.of(), Ranges.EMPTY, 64 * G));
    var some = wants(1, new Request(1, 1, 1, wants(1, 0).request().gpus(), GpuFilter.ANY));

    assertThat(scene.waits(some, wantsCpus(2, 1)).starts()).containsExactly("2:[]");
  }

  private static Candidate filtered(int job, GpuFilter filter) {
    return wants(job, new Request(1, 0, 0, new Whole(1), filter));
  }

  private static Allocation part(int index, int thousandths) {
    var grant =
        new GpuGrant(id(index), index, GpuPart.of(thousandths, 1000), 24 * G * thousandths / 1000);
    return new Allocation(List.of(grant), Ranges.EMPTY, 0);
  }

  private static Availability usable() {
    return new Availability.Usable();
  }
}
