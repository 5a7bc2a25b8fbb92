package gflow.map.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.map.items.BadItems;
import gflow.map.items.ItemFile;
import gflow.script.value.ShellWords;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ResumedPlanTest {
  private static final String FIRST =
      "--gpus 8 --per-gpu 2 -j 4 -c 3 --timeout 90s --retries 2 --max-failures 5% --check t --tag"
          + " -k --out-template o/{stem} --worker --recycle 9 run ::: a b";

  private static MapOrder order(String line) throws Exception {
    return Orders.of(ShellWords.split(line).toArray(String[]::new));
  }

  private static MapPlan plan(String line) throws Exception {
    return order(line).plan("/old", new ItemFile.Written(2, "hash"));
  }

  private static MapPlan resumed(String before, String now) throws Exception {
    MapPlan plan = plan(before);
    return new ResumeOptions(plan, order("--resume --results r " + now)).plan("/old", plan.items());
  }

  @Test
  void nothing_said_is_all_as_before() throws Exception {
    assertThat(resumed(FIRST, "")).isEqualTo(plan(FIRST));
    assertThat(resumed("--static --no-append x ::: a", ""))
        .isEqualTo(plan("--static --no-append x ::: a"));
  }

  @Test
  void what_is_said_anew_counts_and_the_rest_stays() throws Exception {
    MapPlan plan = resumed(FIRST, "--timeout 5m --per-gpu 1 --retries 0 --gpus 1-4");

    assertThat(plan.slots())
        .isEqualTo(new MapPlan.Slots("1-4", 1, plan(FIRST).slots().most(), 3, false));
    assertThat(plan.care())
        .isEqualTo(
            new MapPlan.Care(
                Optional.of(Duration.ofMinutes(5)),
                0,
                List.of(),
                Optional.of("5%"),
                Optional.of("t")));
  }

  @Test
  void a_mended_command_says_itself_whether_it_is_a_worker() throws Exception {
    MapPlan plan = resumed(FIRST, "other {}");

    assertThat(plan.command()).containsExactly("other", "{}");
    assertThat(plan.worker()).isEmpty();
    assertThat(plan.care().check()).contains("t");
  }

  @Test
  void gpus_that_come_and_go_and_fixed_slots_do_not_go_together() {
    assertThatThrownBy(() -> resumed("--static x ::: a", "--gpus 1-8"))
        .isInstanceOf(BadItems.class)
        .hasMessageContaining("--static");
  }
}
