package gflow.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import gflow.job.Sweep.Factor;
import java.util.List;
import org.junit.jupiter.api.Test;

class SweepTest {
  private final Sweep sweep =
      new Sweep(
          List.of(
              new Factor(List.of("lr"), List.of(List.of("0.1"), List.of("0.01"))),
              new Factor(
                  List.of("model", "size"),
                  List.of(List.of("a", "1"), List.of("b", "2"), List.of("c", "3")))));

  @Test
  void it_is_the_product_of_its_factors() {
    assertThat(sweep.size()).isEqualTo(6);
    assertThat(Sweep.NONE.size()).isEqualTo(1);
    assertThat(Sweep.NONE.parameters(0)).isEmpty();
  }

  @Test
  void the_last_factor_changes_fastest() {
    assertThat(sweep.parameters(0))
        .containsExactly(entry("lr", "0.1"), entry("model", "a"), entry("size", "1"));
    assertThat(sweep.parameters(1)).containsEntry("lr", "0.1").containsEntry("model", "b");
    assertThat(sweep.parameters(3)).containsEntry("lr", "0.01").containsEntry("model", "a");
    assertThat(sweep.parameters(5))
        .containsExactly(entry("lr", "0.01"), entry("model", "c"), entry("size", "3"));
  }

  @Test
  void each_row_has_as_many_values_as_there_are_names() {
    assertThatThrownBy(() -> new Factor(List.of("a", "b"), List.of(List.of("1"))))
        .hasMessage("each row of [a, b] needs as many values");
    assertThatThrownBy(() -> new Factor(List.of("a"), List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
