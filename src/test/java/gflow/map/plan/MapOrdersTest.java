package gflow.map.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.job.RetryOn;
import gflow.json.RecordJson;
import gflow.map.items.ItemFile;
import gflow.map.items.Source;
import gflow.script.value.BadInput;
import gflow.script.value.ShellWords;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MapOrdersTest {
  private static MapOrder order(String line) throws BadInput {
    return Orders.of(ShellWords.split(line).toArray(String[]::new));
  }

  @Test
  void nothing_said_is_one_item_at_a_time_on_each_gpu() throws BadInput {
    MapOrder order = order("python eval.py {} ::: a b");
    assertThat(order.command()).containsExactly("python", "eval.py", "{}");
    assertThat(order.way())
        .isEqualTo(
            new MapOrder.Way(
                new MapPlan.Slots("auto", 1, OptionalInt.empty(), 1, false),
                new MapPlan.Care(
                    Optional.empty(), 0, List.of(), Optional.empty(), Optional.empty()),
                new MapPlan.Output(Optional.empty(), false, false, true),
                Optional.empty()));
    assertThat(order.results())
        .isEqualTo(new MapOrder.Results(Optional.empty(), false, false, false));
    assertThat(order.job()).isEmpty();
  }

  @Test
  void the_flags_of_the_first_script_are_understood() throws BadInput {
    MapOrder order = order("--dir_path data --batch_size 8 --size_limit 100 --debug run");
    assertThat(order.items())
        .isEqualTo(new MapOrder.Items(new Source.Folder("data", "*"), 8, 1, Optional.empty()));
    assertThat(order.way().slots().most()).hasValue(8);
    assertThat(order("-j4 run ::: a").way().slots().most()).hasValue(4);
  }

  @Test
  void all_of_the_way_is_read() throws BadInput {
    MapOrder order =
        order(
            "--gpus 1-8 --per-gpu 2 -c 3 --timeout 1.5s --retries 2 --retry-on oom,fail"
                + " --max-failures 5% --check t --tag -k --no-append --out-template o/{stem}"
                + " --results r run ::: a");
    assertThat(order.way())
        .isEqualTo(
            new MapOrder.Way(
                new MapPlan.Slots("1-8", 2, OptionalInt.empty(), 3, false),
                new MapPlan.Care(
                    Optional.of(Duration.ofMillis(1500)),
                    2,
                    List.of(RetryOn.FAIL, RetryOn.OOM),
                    Optional.of("5%"),
                    Optional.of("t")),
                new MapPlan.Output(Optional.of("o/{stem}"), true, true, false),
                Optional.empty()));
    assertThat(order.results().folder()).hasValue("r");
    assertThat(order("--static run ::: a").way().slots().fixed()).isTrue();
  }

  @Test
  void a_worker_has_its_terms() throws BadInput {
    assertThat(order("--worker w.py ::: a").way().worker())
        .hasValue(new MapPlan.Worker(OptionalInt.empty(), Duration.ofMinutes(10)));
    assertThat(order("--worker --recycle 9 --start-timeout 1:30 w.py {gpu} ::: a").way().worker())
        .hasValue(new MapPlan.Worker(OptionalInt.of(9), Duration.ofSeconds(90)));
  }

  @Test
  void options_of_the_job_are_kept_for_it() throws BadInput {
    assertThat(order("-t 2h -J eval --priority 50 --dry-run --tag run ::: a").job())
        .hasSize(3)
        .containsEntry("time", List.of("2h"))
        .containsEntry("name", List.of("eval"))
        .containsEntry("priority", List.of("50"));
  }

  @Test
  void the_plan_says_it_all_and_is_read_back() throws Exception {
    MapOrder order = order("-N 2 --size-from file run ::: a");
    MapPlan plan = order.plan("/here", new ItemFile.Written(5, "abc"));
    assertThat(plan.items()).isEqualTo(new MapPlan.Items(5, "abc", 2, true));
    assertThat(plan.folder()).isEqualTo("/here");
    assertThat(plan.command()).containsExactly("run");

    MapPlan full =
        order("--worker --recycle 2 --timeout 1.5s -j 3 --max-failures 5% run ::: a")
            .plan("/here", new ItemFile.Written(5, "abc"));
    assertThat(RecordJson.read(MapPlan.class, RecordJson.write(full))).isEqualTo(full);
    assertThat(RecordJson.read(MapPlan.class, RecordJson.write(plan))).isEqualTo(plan);
  }

  @Test
  void what_is_piped_in_are_items_if_nothing_else_says_so() throws BadInput {
    var given = MapOptions.GRAMMAR.parse(List.of("-0", "run"));
    assertThat(MapOrders.read(given, false).items().source())
        .isEqualTo(new Source.InFile("-", Source.Format.NULS));
  }

  @Test
  void to_resume_needs_no_command_and_no_items() throws BadInput {
    MapOrder order = order("--resume --retry-failed --results old");
    assertThat(order.command()).isEmpty();
    assertThat(order.items().source()).isEqualTo(new Source.Before("old"));
    assertThat(order.results())
        .isEqualTo(new MapOrder.Results(Optional.of("old"), true, true, false));
  }

  @ParameterizedTest
  @CsvSource({"90s, 90", "5m, 300", "2min, 120", "1h, 3600", "1d, 86400", "1:00:00, 3600"})
  void times_say_their_unit(String text, long seconds) throws BadInput {
    assertThat(order("--timeout " + text + " run ::: a").way().care().timeout())
        .hasValue(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '|',
      value = {
        "--items a --csv b run~--items and --csv both bring the items; give one of them",
        "--range 1-2 run ::: a~--range and ::: both bring the items; give one of them",
        "run :::+ a~:::+ pairs with a ::: before it, and there is none",
        "run ::: a b :::+ c~::: has 2 values and :::+ has 1; they must be as many",
        "run :::: list~:::: is not known here; write --items-from FILE for items in a file",
        "--pairs a_* run~--pairs 'run' needs one star, as in --pairs 'pred_*.pt' 'gt_*.pt'",
        "--range 5-1 run~range '5-1' goes down from 5 to 1",
        "--range 1-5:0 run~range '1-5:0' has a step of 0; write 1 or more",
        "--range 0-99999999999 run~--range makes 100000000000 items, which is too many",
        "--timeout 30 run ::: a~--timeout 30: say 30s or 30m",
        "--timeout soon run ::: a~--timeout 'soon' is not understood; write 90s, 5m, 2h or 1:00:00",
        "--timeout 0s run ::: a~--timeout must be more than 0; leave it out for no limit",
        "-N 2 run ::: a ::: b~-N is for items of one value; those of ::: have more",
        "--resume run ::: a~--resume needs --results DIR, the folder of the run to go on with",
      })
  void what_cannot_be_is_said_in_one_line(String line, String what) {
    assertThatThrownBy(() -> order(line)).isInstanceOf(BadInput.class).hasMessage(what);
  }
}
