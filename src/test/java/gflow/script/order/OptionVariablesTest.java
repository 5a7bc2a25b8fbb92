package gflow.script.order;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.script.grammar.Given;
import gflow.script.grammar.Grammar;
import gflow.script.step.AllocationOptions;
import gflow.script.step.StepOptions;
import gflow.script.value.BadInput;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OptionVariablesTest {
  private static Given under(Map<String, String> variables, String... commandLine) throws BadInput {
    Given above = BatchOptions.GRAMMAR.parse(List.of(commandLine));
    return OptionVariables.SBATCH.under(
        BatchOptions.GRAMMAR, above, name -> Optional.ofNullable(variables.get(name)));
  }

  @Test
  void the_command_line_wins_over_variables_and_they_over_the_script() throws BadInput {
    Map<String, String> variables =
        Map.of("SBATCH_TIMELIMIT", "5", "SBATCH_JOB_NAME", "v", "SBATCH_MEM_PER_NODE", "2G");
    var script =
        new Order.Body.Script(
            "x.sh",
            "#!/bin/sh\n#SBATCH -J s -t 9 --mem-per-cpu=1G -c 3\n".getBytes(UTF_8),
            List.of());

    Given given = Directives.merge(under(variables, "--name=c", "train.py").byName(), script);

    assertThat(given.value("name")).contains("c");
    assertThat(given.value("time")).contains("5");
    assertThat(given.value("mem")).contains("2G");
    assertThat(given.has("mem-per-cpu")).isFalse();
    assertThat(given.value("cpus-per-task")).contains("3");
  }

  @Test
  void words_stay_flags_need_no_value_and_others_are_not_read() throws BadInput {
    Given given =
        under(
            Map.of("SBATCH_REQUEUE", "1", "SBATCH_EXCLUSIVE", "user", "SLURM_GPUS", "9"),
            "--hold",
            "a.sh",
            "b");

    assertThat(given.words()).containsExactly("a.sh", "b");
    assertThat(given.byName()).containsOnlyKeys("hold", "requeue", "exclusive");
    assertThat(given.value("requeue")).contains("");
    assertThat(given.value("exclusive")).contains("user");
    assertThat(under(Map.of("SBATCH_REQUEUE", ""), "--no-requeue").has("requeue")).isFalse();
  }

  @ParameterizedTest
  @EnumSource(OptionVariables.class)
  void every_variable_is_of_an_option_that_is_there(OptionVariables command) throws BadInput {
    Grammar grammar =
        switch (command) {
          case SBATCH -> BatchOptions.GRAMMAR;
          case SALLOC -> AllocationOptions.salloc();
          case STEP, SRUN -> StepOptions.grammar("srun");
        };
    for (String name : command.options().keySet()) {
      Given none = new Given(new TreeMap<>(), List.of());
      assertThat(
              command
                  .under(grammar, none, n -> n.equals(name) ? Optional.of("1") : Optional.empty())
                  .byName())
          .as(name)
          .hasSize(1);
      assertThat(command.unread()).doesNotContain(name);
    }
  }
}
