package gflow.map.items;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Random;
import java.util.SequencedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CommandTemplateTest {
  private static final RunPlace PLACE = new RunPlace(2, "5", 1);

  private static Item item(String... values) {
    return new Item(7, List.of(values), new LinkedHashMap<>());
  }

  private static Item row(String... namesAndValues) {
    SequencedMap<String, String> columns = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      columns.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return new Item(7, List.copyOf(columns.values()), columns);
  }

  private static List<String> words(Item item, String... command) {
    return CommandTemplate.of(List.of(command), item, 1, true).words(item, PLACE);
  }

  private static String one(Item item, String word) {
    return String.join("|", CommandTemplate.of(List.of(word), item, 1, false).words(item, PLACE));
  }

  @ParameterizedTest
  @CsvSource({
    "{}, data/mol.7/a.tar.gz",
    "{stem}, a.tar",
    "{name}, a.tar.gz",
    "{dir}, data/mol.7",
    "{index}, 7",
    "{gpu}, 5",
    "{slot}, 2",
    "{.}, data/mol.7/a.tar",
    "{/}, a.tar.gz",
    "{//}, data/mol.7",
    "{/.}, a.tar",
    "{#}, 8",
    "{%}, 3",
    "{1}, data/mol.7/a.tar.gz",
    "{1.}, data/mol.7/a.tar",
    "{1/}, a.tar.gz",
    "{1//}, data/mol.7",
    "{1/.}, a.tar",
    "--out={dir}/{stem}.json, --out=data/mol.7/a.tar.json",
  })
  void a_placeholder_is_filled_in(String word, String expected) {
    assertThat(one(item("data/mol.7/a.tar.gz"), word)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "a.xyz, ., a.xyz, a",
    "/a.xyz, /, a.xyz, a",
    "//a, /, a, a",
    "x/y/, x, y, y",
    "x//y, x, y, y",
    ".bashrc, ., .bashrc, .bashrc",
    "d.d/file, d.d, file, file",
    "a., ., a., a.",
    "/, /, '', ''",
    "'', ., '', ''",
  })
  void parts_of_a_path_are_those_that_people_expect(
      String path, String dir, String name, String stem) {
    assertThat(one(item(path), "{dir}")).isEqualTo(dir);
    assertThat(one(item(path), "{name}")).isEqualTo(name);
    assertThat(one(item(path), "{stem}")).isEqualTo(stem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "{print $1}",
        "{\"lr\": 0.1}",
        "${name}",
        "${1}",
        "a{2}",
        "{foo}",
        "{",
        "}{",
        "{ }",
        "{-1}",
        "{0}",
        "{01}",
        "{1,2}",
        "{..}"
      })
  void other_braces_are_left_alone(String word) {
    assertThat(one(item("a"), word)).isEqualTo(word);
  }

  @Test
  void what_an_item_brings_is_not_looked_at_again() {
    assertThat(words(item("{}{stem}{gpu}"), "echo", "{}", "x{}{slot}"))
        .containsExactly("echo", "{}{stem}{gpu}", "x{}{stem}{gpu}2");
  }

  @Test
  void the_item_comes_last_where_no_word_names_it() {
    Item item = item("a b");
    assertThat(words(item, "echo", "-n")).containsExactly("echo", "-n", "a b");
    assertThat(words(item, "echo", "{gpu}", "{%}")).containsExactly("echo", "5", "3", "a b");
    assertThat(words(item, "echo", "{index}")).containsExactly("echo", "7");
    assertThat(words(item, "echo", "x{stem}")).containsExactly("echo", "xa b");
    assertThat(CommandTemplate.of(List.of("echo"), item, 1, false).words(item, PLACE))
        .containsExactly("echo");
  }

  @Test
  void several_values_are_several_words_where_they_are_a_word() {
    Item pair = item("x/a.pt", "y/b.pt");
    assertThat(words(pair, "cmp", "{}", "{stem}", "[{}]", "{2/.}-{1}"))
        .containsExactly("cmp", "x/a.pt", "y/b.pt", "a", "b", "[x/a.pt y/b.pt]", "b-x/a.pt");
    assertThat(words(pair, "cmp")).containsExactly("cmp", "x/a.pt", "y/b.pt");
  }

  @Test
  void the_last_call_of_n_items_may_have_fewer() {
    var template = CommandTemplate.of(List.of("x", "{1}", "{3}", "{4}"), item("a", "b"), 3, true);
    assertThat(template.words(item("a", "b"), PLACE)).containsExactly("x", "a", "", "{4}");
    assertThat(template.words(item("a", "b", "c"), PLACE)).containsExactly("x", "a", "c", "{4}");
  }

  @Test
  void columns_are_named_and_come_before_words_of_ours() {
    Item row = row("name", "mol.7", "learning rate", "0.1", "file", "d/f.xyz");
    assertThat(words(row, "run", "{name}", "{learning rate}", "{file/.}", "{file//}", "{3}"))
        .containsExactly("run", "mol.7", "0.1", "f", "d", "d/f.xyz");
    assertThat(words(row, "run")).containsExactly("run", "mol.7", "0.1", "d/f.xyz");
  }

  @Test
  void the_item_is_meant_before_a_column_without_a_name() {
    assertThat(words(row("", "x", "a", "y"), "[{}]")).containsExactly("[x y]");
  }

  @Test
  void a_slip_is_doubted_and_other_text_is_not() {
    Item row = row("energy", "1");
    var template =
        CommandTemplate.of(
            List.of("{enregy}", "{steem}", "{print}", "{2}", "a{2}", "${nam}"), row, 1, true);
    assertThat(template.doubts())
        .containsExactly(
            "{enregy} is left as it is; did you mean {energy}?",
            "{steem} is left as it is; did you mean {stem}?",
            "{2} is left as it is; the items have 1 value");
  }

  @Test
  void a_worker_knows_only_its_place() {
    assertThat(CommandTemplate.ofWorker(List.of("w", "cuda:{gpu}", "{slot}", "{}")).words(PLACE))
        .containsExactly("w", "cuda:5", "2", "{}");
  }

  @Test
  void words_without_braces_pass_unchanged_whatever_they_are() {
    var random = new Random(4);
    for (int round = 0; round < 500; round++) {
      var command = new ArrayList<String>();
      for (int i = random.nextInt(6); i >= 0; i--) {
        command.add(anyWord(random));
      }
      Item item = item(anyWord(random), anyWord(random));
      var expected = new ArrayList<>(command);
      expected.addAll(item.values());
      assertThat(words(item, command.toArray(String[]::new))).isEqualTo(expected);
    }
  }

  /** Of all letters but an opening brace, and halves of them. */
  private static String anyWord(Random random) {
    var word = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      char c = (char) (random.nextBoolean() ? random.nextInt(0x10000) : random.nextInt(128));
      word.append(c == '{' ? '$' : c);
    }
    return word.toString();
  }

  @Test
  void the_environment_has_the_same() {
    Item row = row("lr", "0.1", "PATH", "/evil", "LD_PRELOAD", "x", "a b", "1", "GFLOW_GPU", "9");
    var variables = ItemVariables.of(row, PLACE);
    assertThat(variables)
        .containsEntry("lr", "0.1")
        .containsEntry("GFLOW_ITEM", "0.1 /evil x 1 9")
        .containsEntry("GFLOW_ITEM_INDEX", "7")
        .containsEntry("GFLOW_ITEM_ATTEMPT", "1")
        .containsEntry("GFLOW_SLOT", "2")
        .containsEntry("GFLOW_GPU", "5")
        .doesNotContainKeys("PATH", "LD_PRELOAD", "a b");
    assertThat(ItemVariables.of(item("d/a.xyz"), PLACE))
        .containsEntry("GFLOW_ITEM_NAME", "a.xyz")
        .containsEntry("GFLOW_ITEM_STEM", "a")
        .containsEntry("GFLOW_ITEM_DIR", "d");
  }

  @ParameterizedTest
  @CsvSource({"lr", "seed", "Path", "SMILES", "LDA", "lib_path", "CUDAX"})
  void a_column_with_a_harmless_name_is_set(String name) {
    assertThat(ItemVariables.mayBeSet(name)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "HOME",
    "LD_LIBRARY_PATH",
    "CUDA_VISIBLE_DEVICES",
    "HIP_VISIBLE_DEVICES",
    "SLURM_JOB_ID",
    "GFLOW_ITEM",
    "BASH_ENV",
    "IFS",
    "PYTHONPATH",
    "PYTHONHOME",
    "1st",
    "a-b",
    "''"
  })
  void one_that_would_change_the_run_is_not(String name) {
    assertThat(ItemVariables.mayBeSet(name)).isFalse();
  }
}
