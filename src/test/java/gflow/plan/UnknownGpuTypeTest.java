package gflow.plan;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.GpuFilter;
import gflow.job.GpuRequest;
import gflow.job.Ranges;
import gflow.job.Request;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Scripts of other sites name types that are not here. */
class UnknownGpuTypeTest {
  private static Optional<String> words(Machine machine, String type, boolean always) {
    var filter = new GpuFilter(Optional.of(type), List.of(), List.of(0));
    var request = new Request(1, 0, 0, new GpuRequest.Whole(1), filter);
    Optional<UnknownGpuType> unknown = UnknownGpuType.of(machine, request, always);
    unknown.ifPresent(
        u ->
            assertThat(u.instead().filter())
                .isEqualTo(new GpuFilter(Optional.empty(), List.of(), List.of(0))));
    return unknown.map(UnknownGpuType::words);
  }

  @Test
  void on_a_machine_with_one_model_it_is_any_gpu() {
    Machine machine = Scene.of(2).machine();
    String model = machine.gpus().getFirst().model();

    assertThat(words(machine, "h999", false))
        .contains("no GPU of type h999 is here, so the job gets any: " + model);
    assertThat(words(machine, model.replaceAll(".* ", ""), false)).isEmpty();
    assertThat(words(new Machine(List.of(), Ranges.EMPTY, 0), "h999", true)).isEmpty();
  }

  @Test
  void where_models_differ_only_if_that_is_wanted() {
    var gpus = new java.util.ArrayList<>(Scene.of(2).machine().gpus());
    Gpu last = gpus.removeLast();
    gpus.add(
        new Gpu(
            last.id(), last.index(), "NVIDIA T4", last.memory(), last.near(), last.availability()));
    var machine = new Machine(gpus, Ranges.EMPTY, 0);

    assertThat(words(machine, "h999", false)).isEmpty();
    assertThat(words(machine, "h999", true)).isPresent();
  }
}
