package gflow.script.grammar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gflow.script.order.BatchOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompletionTest {
  private static final List<Grammar> GRAMMARS =
      List.of(
          BatchOptions.GRAMMAR,
          new Grammar("gjob", "COMMAND", "About one job.", List.of(Opt.HELP), true),
          new Grammar(
              "gjob log",
              "[options] ID",
              "Shows a job's log.",
              List.of(Opt.flag("follow", "f", "go on")),
              false),
          new Grammar("gjob wait", "ID", "Waits.", List.of(Opt.HELP), false));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      value = {
        "gbatch --pri|--priority",
        "gbatch --open-mode t|truncate",
        "gbatch -d 4|''",
        "gbatch --depends-on 4|41 42",
        "gjob l|log",
        "gjob ''''|log wait",
        "gjob --|--help",
        "gjob log --f|--follow",
        "gjob log 4|41 42",
        "gjob wait --|--help",
      })
  void bash_completes(String line, String answer) throws IOException, InterruptedException {
    assumeTrue(Files.isExecutable(Path.of("/bin/bash")), "no bash here");
    String[] words = line.split(" ", -1);
    String script =
        Completion.bash(GRAMMARS)
            + "gqueue() { printf '41\n42\n7\n'; }\n"
            + "COMP_WORDS=("
            + line
            + "); COMP_CWORD="
            + (words.length - 1)
            + "\n"
            + "_gflow_"
            + words[0]
            + "; echo \"${COMPREPLY[*]}\"";

    var bash = new ProcessBuilder("/bin/bash", "-euc", "set +e;" + script);
    Process process = bash.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

    assertThat(said.strip()).isEqualTo(answer);
    assertThat(process.waitFor()).isZero();
  }

  @Test
  void zsh_uses_the_same_functions() {
    assertThat(Completion.zsh(GRAMMARS))
        .startsWith("#compdef gbatch gjob\n")
        .contains("bashcompinit", "_gflow_gbatch()");
  }

  @Test
  void fish_gets_options_with_their_values_and_help() {
    assertThat(Completion.fish(GRAMMARS).lines())
        .contains(
            "complete -c gbatch -s G -s g -l gpus -x -d 'GPUs: 2 whole ones, a100:2 of a type, 1/4"
                + " of one, 1-8 as many as are free'",
            "complete -c gbatch -l open-mode -x -a 'append truncate'"
                + " -d 'what to do with an older output (append)'",
            "complete -c gbatch -s D -l chdir -r -d 'folder to run in (this one)'",
            "complete -c gjob -f -n 'not __fish_seen_subcommand_from log wait' -a log"
                + " -d 'Shows a jobs log.'",
            "complete -c gjob -n '__fish_seen_subcommand_from log' -s f -l follow -d 'go on'");
  }

  @Test
  void hidden_options_are_not_offered() {
    assertThat(Completion.bash(GRAMMARS) + Completion.fish(GRAMMARS))
        .doesNotContain("conda-prefix");
  }
}
