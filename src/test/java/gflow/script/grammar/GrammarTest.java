package gflow.script.grammar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.script.Refusal;
import gflow.script.order.BatchOptions;
import gflow.script.value.BadInput;
import gflow.script.value.RawWords;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GrammarTest {
  private static final Grammar MIXED =
      new Grammar(
          "gqueue",
          "[options]",
          "Lists jobs.",
          List.of(
              Opt.value("states", "st", "STATES", "only these"),
              Opt.flag("me", "", "mine"),
              Opt.flag("steps", "i", "with steps"),
              Opt.optional("watch", "w", "SECONDS", "again and again"),
              Opt.HELP),
          false);

  private static Given batch(String... words) throws BadInput {
    return BatchOptions.GRAMMAR.parse(List.of(words));
  }

  @Test
  void a_value_comes_in_four_forms() throws BadInput {
    for (String[] form :
        new String[][] {{"--gpus=2"}, {"--gpus", "2"}, {"-G2"}, {"-G", "2"}, {"-g", "2"}}) {
      assertThat(batch(form).value("gpus")).as(String.join(" ", form)).contains("2");
    }
  }

  @Test
  void options_end_at_the_first_word_that_is_none() throws BadInput {
    Given given = batch("--gpus", "1", "python", "-u", "train.py", "--gpus", "9");

    assertThat(given.value("gpus")).contains("1");
    assertThat(given.words()).containsExactly("python", "-u", "train.py", "--gpus", "9");
  }

  @Test
  void what_is_ignored_is_passed_over_and_a_program_keeps_it() throws BadInput {
    var words = List.of("--site=3", "--gpus=1", "--site", "python", "--site");
    Given given = BatchOptions.GRAMMAR.parse(words, "--site"::equals);

    assertThat(given.value("gpus")).contains("1");
    assertThat(given.words()).containsExactly("python", "--site");
    assertThatThrownBy(() -> BatchOptions.GRAMMAR.parse(words, "--gpus"::equals))
        .hasMessageContaining("there is no option --site");
  }

  @Test
  void bytes_that_are_no_text_belong_to_the_program_alone() throws BadInput {
    assertThat(batch("--gpus", "1", "cat", "a\uDCFFb").words()).containsExactly("cat", "a\uDCFFb");
    for (var wrong : List.of(new String[] {"--name", "\uDCFF", "cat"}, new String[] {"c\uDCFFt"})) {
      assertThatThrownBy(() -> batch(wrong))
          .hasMessageEndingWith(
              " has bytes in it that are no UTF-8; only the arguments of a program may have");
    }
    assertThatThrownBy(() -> MIXED.parse(List.of("1", "\uDCFF"))).isInstanceOf(BadInput.class);
    assertThatThrownBy(
            () ->
                BatchOptions.GRAMMAR.check(
                    new TreeMap<>(java.util.Map.of("name", List.of("\uD800")))))
        .isInstanceOf(BadInput.class);
    assertThat(RawWords.latin("é\uDCFF")).isEqualTo("Ã©ÿ");
  }

  @Test
  void other_commands_take_options_anywhere() throws BadInput {
    Given given = MIXED.parse(List.of("1", "--me", "2", "-s", "R", "--", "--me"));

    assertThat(given.words()).containsExactly("1", "2", "--me");
    assertThat(given.has("me")).isTrue();
    assertThat(given.value("states")).contains("R");
  }

  @Test
  void an_option_may_take_two_words() throws BadInput {
    var pairs = new Grammar("g", "", "", List.of(Opt.pair("pairs", "A B", "two"), Opt.HELP), true);
    assertThat(pairs.parse(List.of("--pairs", "a", "b", "x")).values("pairs"))
        .containsExactly("a", "b");
    assertThat(pairs.parse(List.of("--pairs=a", "b", "x")).words()).containsExactly("x");
    Refusal.of(() -> pairs.parse(List.of("--pairs", "a")), "g: --pairs needs a value: --pairs A B");
  }

  @Test
  void a_dash_alone_is_a_word_and_two_end_the_options() throws BadInput {
    assertThat(batch("-").words()).containsExactly("-");
    assertThat(batch("--", "--odd").words()).containsExactly("--odd");
  }

  @Test
  void flags_may_stand_together_and_a_value_ends_them() throws BadInput {
    Given given = MIXED.parse(List.of("-hisR"));

    assertThat(given.byName().keySet()).containsExactly("help", "states", "steps");
    assertThat(given.value("states")).contains("R");
  }

  @Test
  void the_last_of_equal_options_wins_but_repeated_ones_add_up() throws BadInput {
    Given given = batch("--gpus=1", "--param", "a=1", "--gpus=2", "--param", "b=2");

    assertThat(given.values("gpus")).containsExactly("2");
    assertThat(given.values("param")).containsExactly("a=1", "b=2");
  }

  @Test
  void a_value_may_look_like_an_option() throws BadInput {
    assertThat(batch("--time", "-1").value("time")).contains("-1");
  }

  @Test
  void a_beginning_that_fits_only_one_option_is_enough() throws BadInput {
    assertThat(batch("--prio=3").value("priority")).contains("3");
    assertThat(batch("--job-n", "x").value("name")).contains("x");
    assertThat(batch("--conda", "x").value("conda-env")).contains("x");
  }

  @Test
  void a_beginning_is_one_of_slurms_options_if_it_can_be() throws BadInput {
    assertThat(batch("--depend=afterok:1").value("dependency")).contains("afterok:1");
    assertThat(batch("--deadl=x").value("deadline")).contains("x");
    assertThat(batch("--depends=1").value("depends-on")).contains("1");
  }

  @Test
  void an_optional_value_is_taken_only_after_equals() throws BadInput {
    Given given = MIXED.parse(List.of("--watch", "5"));

    assertThat(given.value("watch")).contains("");
    assertThat(given.words()).containsExactly("5");
    assertThat(MIXED.parse(List.of("--watch=5")).value("watch")).contains("5");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--gpu 1|gbatch: there is no option --gpu; did you mean --gpus? (gbatch --help lists them)",
        "--tiem 5|gbatch: there is no option --tiem; did you mean --time? (gbatch --help lists"
            + " them)",
        "--ex=1|gbatch: there is no option --ex; did you mean --exclusive or --export or"
            + " --exclude? (gbatch --help lists them)",
        "-time=5|gbatch: -time needs two dashes; write --time",
        "--mem =4G|gbatch: a blank stands before =4G; write --mem=4G",
        "--bogus=3|gbatch: there is no option --bogus (gbatch --help lists them)",
        "-z|gbatch: there is no option -z (gbatch --help lists them)",
        "-Hz|gbatch: there is no option -z (gbatch --help lists them)",
        "--gpus|gbatch: --gpus needs a value: --gpus N",
        "-G|gbatch: --gpus needs a value: --gpus N",
        "--hold=yes|gbatch: --hold takes no value; write only --hold",
        "--=3|gbatch: there is no option -- (gbatch --help lists them)",
      })
  void a_wrong_option_gets_one_line(String line, String answer) {
    assertThatThrownBy(() -> batch(line.split(" ")))
        .isInstanceOf(BadInput.class)
        .hasMessage(answer);
  }

  @Test
  void options_from_json_are_checked_by_name() throws BadInput {
    var options = new TreeMap<String, List<String>>();
    options.put("job-name", List.of("x"));
    options.put("hold", List.of("false"));
    options.put("gpus", List.of("1", "2"));

    Given given = BatchOptions.GRAMMAR.check(options);

    assertThat(given.value("name")).contains("x");
    assertThat(given.has("hold")).isFalse();
    assertThat(given.values("gpus")).containsExactly("2");
    options.put("gpu_memory", List.of("1"));
    assertThatThrownBy(() -> BatchOptions.GRAMMAR.check(options))
        .hasMessage(
            "there is no option --gpu_memory; did you mean --gpu-memory?"
                + " (gbatch --help lists them)");
  }

  @Test
  void the_help_is_aligned_and_within_100_columns() {
    String help = BatchOptions.GRAMMAR.help();

    assertThat(help)
        .startsWith("Usage: gbatch [options] SCRIPT|COMMAND [ARGS…]\n")
        .contains("\n  -G, -g, --gpus N                GPUs: 2 whole")
        .contains("\n      --priority N                0 to 255")
        .doesNotContain("conda-prefix");
    assertThat(help.lines()).allSatisfy(l -> assertThat(l.length()).isLessThanOrEqualTo(100));
  }

  @Test
  void no_two_options_share_a_name_or_a_letter() {
    var names = new java.util.ArrayList<String>();
    for (Opt option : BatchOptions.GRAMMAR.options()) {
      names.add(option.name());
      names.addAll(option.aliases());
      option.shorts().chars().forEach(c -> names.add("-" + (char) c));
    }
    assertThat(names).doesNotHaveDuplicates();
  }
}
