package gflow.script.value;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.script.Refusal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShellWordsTest {
  @Test
  void words_quotes_and_backslashes_are_those_of_a_shell() throws BadInput {
    assertThat(ShellWords.split("  --a=1\t-b 'x y'\"z $H\" \\# a\\ b '' \"q\\\"\\n\" "))
        .containsExactly("--a=1", "-b", "x yz $H", "#", "a b", "", "q\"\\n");
  }

  @Test
  void a_comment_starts_only_at_a_word() throws BadInput {
    assertThat(ShellWords.split("--name=a#b '#c' # rest 'open"))
        .containsExactly("--name=a#b", "#c");
    assertThat(ShellWords.split("# all")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--name 'x", "--name \"x\\\""})
  void an_open_quote_is_refused(String line) {
    String quote = line.contains("'") ? "'" : "\"";
    Refusal.of(() -> ShellWords.split(line), "a quote " + quote + " is not closed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "", "a b", "it's", "$HOME", "a\\b", "x=1,2", "#c"})
  void what_is_quoted_is_read_back(String word) throws BadInput {
    assertThat(ShellWords.split(ShellWords.quote(word))).isEqualTo(List.of(word));
  }
}
