package gflow.script.order;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.script.Refusal;
import gflow.script.grammar.Given;
import gflow.script.value.BadInput;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DirectivesTest {
  private static Given read(String text) throws BadInput {
    Directives directives = directives(text);
    directives.check(Site.USUAL);
    return directives.given();
  }

  private static Directives directives(String text) {
    return new Directives("train.sh", text.getBytes(UTF_8));
  }

  private static Given under(String text, String... commandLine) throws BadInput {
    SortedMap<String, List<String>> above =
        BatchOptions.GRAMMAR.parse(List.of(commandLine)).byName();
    return Directives.merge(above, new Order.Body.Script("x", text.getBytes(UTF_8), List.of()));
  }

  @Test
  void all_three_forms_count_until_the_first_command() throws BadInput {
    Given given =
        read(
            """
            #!/bin/bash
            #SBATCH --gres=gpu:a100:1  # one GPU
            # GFLOW --priority 20 --name "two words"

              # a comment
            #GFLOW -t 4:00:00
            ##SBATCH --mem=1G
             #SBATCH --mem=2G
            #SBATCHED --mem=3G
            # SBATCH --mem=4G
            #  GFLOW --mem=5G
            #SBATCH
            echo hello
            #SBATCH --hold
            """);

    assertThat(given.byName())
        .containsOnlyKeys("gres", "priority", "name", "time")
        .containsEntry("gres", List.of("gpu:a100:1"))
        .containsEntry("name", List.of("two words"))
        .containsEntry("time", List.of("4:00:00"));
  }

  @Test
  void a_later_line_wins_and_repeated_options_add_up() throws BadInput {
    Given given =
        read(
            """
            #SBATCH --mem=1G --requeue
            #SBATCH --mem=2G --no-requeue
            #GFLOW --param a=1
            #GFLOW --param b=2
            """);

    assertThat(given.value("mem")).contains("2G");
    assertThat(given.has("requeue")).isFalse();
    assertThat(given.values("param")).containsExactly("a=1", "b=2");
  }

  @Test
  void the_command_line_wins() throws BadInput {
    Given given = under("#!/bin/sh\n#SBATCH --mem=1G -c 2\n", "--mem=8G");

    assertThat(given.value("mem")).contains("8G");
    assertThat(given.value("cpus-per-task")).contains("2");
  }

  @ParameterizedTest
  @CsvSource({
    "--gres=gpu:4, --gpus=1, gres",
    "--gpu-memory=4G --shared, --gpus=1, shared",
    "--array=1-9, --param=a=1, array",
    "--dependency=afterok:1, --depends-on=2, dependency",
    "--requeue, --no-requeue, requeue",
  })
  void the_command_line_answers_a_question_as_a_whole(String inScript, String above, String gone)
      throws BadInput {
    assertThat(under("#SBATCH " + inScript + "\n", above).byName()).doesNotContainKey(gone);
  }

  @Test
  void a_script_is_read_once() throws BadInput {
    var script = new Order.Body.Script("x", "#SBATCH -J y\n".getBytes(UTF_8), List.of());
    Given first = script.directives().given();

    assertThat(script.directives().given()).isSameAs(first);
  }

  @Test
  void directives_after_the_first_command_are_found_and_here_documents_left_alone() {
    String text =
        """
        #!/bin/bash
        #SBATCH --mem=1G
        cd /tmp
        #SBATCH --gpus=1
        # GFLOW -t 5
        ##SBATCH --hold
         #SBATCH --hold
        #SBATCH is what Slurm reads
        cat > inner.sh <<'EOF'
        #SBATCH --hold
        EOF
        cat <<-"END" | sh
        #SBATCH --hold
        \tEND
        #GFLOW --hold
        """;

    assertThat(directives(text).late()).containsExactly(4, 5, 15);
    assertThat(directives("#!/bin/sh\n#SBATCH -t 5\n").late()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      commentCharacter = '^',
      value = {
        "#SBATCH --bogus=3|there is no option --bogus (gbatch --help lists them)",
        "# GFLOW --gpu 1|there is no option --gpu; did you mean --gpus? (gbatch --help lists them)",
        "#SBATCH --gpus|--gpus needs a value: --gpus N",
        "#SBATCH --gpus 1 train.py|'train.py' is no option; write --name=value",
        "#GFLOW is great|'is' is no option; write --name=value",
        "#SBATCH --name 'open|a quote ' is not closed",
        "#SBATCH --json|--json belongs on the command line, not in a script",
        "#SBATCH --hold=1|--hold takes no value; write only --hold",
      })
  void a_wrong_line_is_named_by_its_number(String line, String what) {
    Refusal.of(() -> read("#!/bin/sh\n\n" + line + "\n"), "train.sh line 3: " + what);
  }
}
