package gflow.script;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SbatchVariablesTest {
  private static Given under(Map<String, String> variables, String... commandLine) throws BadInput {
    Given above = BatchOptions.GRAMMAR.parse(List.of(commandLine));
    return SbatchVariables.under(above, name -> Optional.ofNullable(variables.get(name)));
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

  @Test
  void every_variable_is_of_an_option_that_is_there() throws BadInput {
    for (String name : SbatchVariables.names()) {
      assertThat(under(Map.of(name, "1")).byName()).as(name).hasSize(1);
    }
  }
}
