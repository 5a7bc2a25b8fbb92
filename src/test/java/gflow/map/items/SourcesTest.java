package gflow.map.items;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import gflow.map.plan.Orders;
import gflow.script.value.BadInput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourcesTest {
  @TempDir Path folder;

  private void file(String name, String text) throws IOException {
    Path path = folder.resolve(name);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text, StandardCharsets.ISO_8859_1);
  }

  private List<String> texts(String... words) throws BadInput, BadItems {
    return Orders.texts(folder, words);
  }

  private void refused(String line, String... words) {
    assertThatThrownBy(() -> texts(words))
        .isInstanceOf(BadItems.class)
        .hasMessage(line.replace("HERE", folder.toString()));
  }

  @Test
  void arguments_are_a_product_and_pairs() throws Exception {
    assertThat(texts("x", ":::", "a", "b b", "")).containsExactly("a", "b b", "");
    assertThat(texts("x", ":::", "a", "b", ":::", "1", "2"))
        .containsExactly("a 1", "a 2", "b 1", "b 2");
    assertThat(texts("x", ":::", "a", "b", ":::+", "1", "2", ":::", "p", "q"))
        .containsExactly("a 1 p", "a 1 q", "b 2 p", "b 2 q");
    assertThat(Orders.items(folder, "x", ":::", "a", "b").get(1).index()).isEqualTo(1);
  }

  @Test
  void no_arguments_are_no_items() {
    refused("there are no items in :::", "x", ":::");
    refused("there are no items in :::", "x", ":::", "a", ":::");
  }

  @Test
  void patterns_match_as_a_shell_matches_and_are_sorted() throws Exception {
    for (String name : List.of("d/b.xyz", "d/a.xyz", "d/.h.xyz", "d/c.pt", "e/x/a.xyz", "[1]")) {
      file(name, "");
    }
    assertThat(texts("--items", "d/*.xyz", "x")).containsExactly("d/a.xyz", "d/b.xyz");
    assertThat(texts("--items", "*/?.xyz", "x")).containsExactly("d/a.xyz", "d/b.xyz");
    assertThat(texts("--items", "d/[!a-b]*", "x")).containsExactly("d/c.pt");
    assertThat(texts("--items", "d/[ac].*", "x")).containsExactly("d/a.xyz", "d/c.pt");
    assertThat(texts("--items", "d/.*.xyz", "x")).containsExactly("d/.h.xyz");
    assertThat(texts("--items", "**/a.xyz", "x")).containsExactly("d/a.xyz", "e/x/a.xyz");
    assertThat(texts("--items", "./d//c*", "x")).containsExactly("./d/c.pt");
    assertThat(texts("--items", folder + "/d/c*", "x")).containsExactly(folder + "/d/c.pt");
    assertThat(texts("--items", "d/c.pt", "--items", "e/*", "--items", "[1]", "x"))
        .containsExactly("d/c.pt", "e/x", "[1]");
  }

  @Test
  void names_are_sorted_by_their_bytes() throws Exception {
    List<String> names = List.of("B", "a", "a-b", "a.b", "b", "\u00e4", "\uffff", "\ud83d\ude00");
    for (String name : names.reversed()) {
      file("d/" + name, "");
    }
    assertThat(texts("--dir-path", "d", "x")).isEqualTo(names.stream().map("d/"::concat).toList());
  }

  @Test
  void a_pattern_without_a_match_is_said() throws IOException {
    file("d/a", "");
    refused("--items 'd/*.xyz' matches nothing in HERE", "--items", "d/*.xyz", "x");
    refused("--items 'no/*' matches nothing in HERE", "--items", "no/*", "x");
    refused("--items: there is no file d/b in HERE", "--items", "d/*", "--items", "d/b", "x");
    refused("'[z-a]' is no pattern; write *, ?, [abc], [a-c] or [!a-c]", "--items", "d/[z-a]", "x");
  }

  @Test
  void a_folder_that_cannot_be_read_is_said() throws IOException {
    file("d/a", "");
    Files.setPosixFilePermissions(
        folder.resolve("d"), PosixFilePermissions.fromString("---------"));
    assumeFalse(Files.isReadable(folder.resolve("d")), "root reads everything");
    refused("cannot read the folder d: permission denied", "--items", "d/*", "x");
  }

  @Test
  void the_files_of_a_folder_are_items_and_its_folders_are_not() throws Exception {
    file("d*/b.pt", "");
    file("d*/a.xyz", "");
    file("d*/sub/c.xyz", "");
    assertThat(texts("--dir_path", "d*", "x")).containsExactly("d*/a.xyz", "d*/b.pt");
    assertThat(texts("--dir-path", "d*/", "--pattern", "*.pt", "x")).containsExactly("d*/b.pt");
    refused("--dir-path: there is no folder e", "--dir-path", "e", "x");
    refused(
        "--dir-path d* has no files that match '*.c'", "--dir-path", "d*", "--pattern", "*.c", "x");
  }

  @Test
  void pairs_are_matched_by_what_the_star_stands_for() throws Exception {
    for (String key : List.of("1", "10", "2")) {
      file("p/pred_" + key + ".pt", "");
      file("gt_" + key + ".pt", "");
    }
    List<Item> items = Orders.items(folder, "--pairs", "p/pred_*.pt", "gt_*.pt", "x");
    assertThat(items)
        .extracting(Item::text)
        .containsExactly("p/pred_1.pt gt_1.pt", "p/pred_10.pt gt_10.pt", "p/pred_2.pt gt_2.pt");
    assertThat(items.get(1).columns()).containsEntry("key", "10");

    Files.delete(folder.resolve("gt_10.pt"));
    refused(
        "--pairs: the partner is missing of p/pred_10.pt (gt_10.pt)",
        "--pairs",
        "p/pred_*.pt",
        "gt_*.pt",
        "x");
    for (int i = 20; i < 25; i++) {
      file("gt_" + i + ".pt", "");
    }
    Files.delete(folder.resolve("p/pred_10.pt"));
    refused(
        "--pairs: the partner is missing of gt_20.pt (p/pred_20.pt), gt_21.pt (p/pred_21.pt),"
            + " gt_22.pt (p/pred_22.pt) and 2 more",
        "--pairs",
        "p/pred_*.pt",
        "gt_*.pt",
        "x");
    refused("--pairs: 'no_*' matches nothing in HERE", "--pairs", "gt_*", "no_*", "x");
  }

  @Test
  void lines_are_items_and_empty_ones_are_left_out_and_counted() throws Exception {
    file("list", "a b\r\n\n  c\nlast");
    assertThat(texts("--items-from", "list", "x")).containsExactly("a b", "  c", "last");
    assertThat(Orders.spool(folder, "", "--items-from", "list", "x").look(0).notes())
        .containsExactly("1 empty line is left out");
    assertThat(Orders.spool(folder, "p\nq\np\n", "--items-from", "-", "x").look(9).notes())
        .containsExactly("1 item is there twice");
  }

  @Test
  void what_nul_ends_may_have_line_ends_in_it() throws Exception {
    file("list", "a\nb\0c\r\0\0");
    assertThat(texts("-0", "--items-from", "list", "x")).containsExactly("a\nb", "c\r");
    refused(
        "list line 2 has a NUL in it, so this is no list of lines; -0 reads what NUL ends",
        "--items-from",
        "list",
        "x");
  }

  @Test
  void a_list_that_is_not_there_is_said() throws IOException {
    file("empty", "\n\n");
    refused("nowhere: there is no such file", "--items-from", "nowhere", "x");
    refused(
        folder + " is a directory, not a file; --dir-path takes its files as items",
        "--csv",
        folder.toString(),
        "x");
    refused("there are no items in empty", "--items-from", "empty", "x");
    refused("there are no items in empty", "--csv", "empty", "x");
    refused(
        "there are no items in stdin; add ::: a b c, --items 'data/*.xyz' or --items-from FILE",
        "--items-from",
        "-",
        "x");
  }

  @Test
  void json_lines_have_columns_values_or_are_the_item() throws Exception {
    file("o", "{\"lr\": 1.50, \"n\": 1e-3, \"t\": true, \"x\": null, \"l\": [1, 2.0]}\n \n");
    Item item = Orders.items(folder, "--jsonl", "o", "x").getFirst();
    assertThat(item.text()).startsWith("{\"lr\": 1.50,");
    assertThat(item.columns())
        .containsEntry("lr", "1.50")
        .containsEntry("n", "0.001")
        .containsEntry("t", "true")
        .containsEntry("x", "")
        .containsEntry("l", "[1,2.0]");
    file("s", "\"a\\nb\"\n7\n");
    assertThat(texts("--jsonl", "s", "x")).containsExactly("a\nb", "7");
    file("l", "[\"a\", 1]\n[\"b\", 2]\n");
    assertThat(Orders.items(folder, "--jsonl", "l", "x").get(1).values()).containsExactly("b", "2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "{\"a\":1}\\n{\"a\":~line 2 is no JSON: expected a value at the end",
        "{\"a\":1}\\n\\nx~line 3 is no JSON: expected a value at column 1, was x",
        "\"a\\u0000\"~line 1 has a NUL in a text, which no program can be given",
        "\"\\ud800\"~line 1 has half a letter in a text, which no program can be given",
        "[]~line 1 is an empty list: there is no item in it",
      })
  void a_bad_line_of_json_is_named(String text, String what) throws IOException {
    file("j", text.replace("\\n", "\n"));
    refused("j " + what, "--jsonl", "j", "x");
  }

  @Test
  void a_field_that_the_command_uses_must_be_there() throws IOException {
    file("j", "{\"a\":1,\"b\":2}\n{\"a\":1}\n");
    refused("item 2 has no field 'b', which the command uses", "--jsonl", "j", "x", "{b}");
    refused(
        "item 2 has no field 'b', which the command uses",
        "--jsonl",
        "j",
        "--out-template",
        "{b}.json",
        "x");
    file("l", "[1,2]\n[1]\n");
    refused("item 2 has 1 values, the first has 2", "--jsonl", "l", "x");
  }

  @Test
  void a_table_has_columns_and_may_have_lines_in_a_field() throws Exception {
    file("t", "\u00ef\u00bb\u00bflr,name\r\n0.1, plain 5\" disk\r\n\r\n0.2,\"a, \"\"b\"\"\nc\"\n");
    List<Item> items = Orders.items(folder, "--csv", "t", "x");
    assertThat(items).hasSize(2);
    assertThat(items.getFirst().columns())
        .containsEntry("lr", "0.1")
        .containsEntry("name", "plain 5\" disk");
    assertThat(items.getLast().values()).containsExactly("0.2", "a, \"b\"\nc");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '|',
      value = {
        "a,b\\n1,2\\n\\n1,2,3~line 4 has 3 fields, the header 2",
        "a,b\\n\"x\\ny\",1\\n1~line 4 has 1 field, the header 2",
        "a,a\\n1,2~line 1 is the header, and has the column 'a' twice",
        "a,,b\\n1,2,3~line 1 is the header, and a column of it has no name",
        "a\\n\"x\\ny~line 2 has a quote \" that is not closed",
        "a\\n\"x\"y~line 2 is no row: text after a closing quote; write \"\" for a quote",
      })
  void a_bad_row_is_named(String text, String what) throws IOException {
    file("t", text.replace("\\n", "\n"));
    refused("t " + what, "--csv", "t", "x");
  }

  @Test
  void ranges_count_with_steps_and_with_zeros() throws Exception {
    assertThat(texts("--range", "8-11", "x")).containsExactly("8", "9", "10", "11");
    assertThat(texts("--range", "008-012:2", "--range", "1,5", "x"))
        .containsExactly("008", "010", "012", "1", "5");
    assertThat(texts("--range", "0-999999999", "--size_limit", "2", "x")).hasSize(2);
  }

  @Test
  void only_some_and_some_at_a_time() throws Exception {
    assertThat(texts("--range", "1-9", "--size-limit", "0", "x")).hasSize(9);
    assertThat(texts("--range", "1-99", "--debug", "x")).hasSize(8);
    assertThat(texts("--range", "1-99", "--debug", "--size-limit", "3", "x")).hasSize(3);
    List<Item> items = Orders.items(folder, "-N", "2", "--size-limit", "5", "--range", "1-9", "x");
    assertThat(items).extracting(Item::text).containsExactly("1 2", "3 4", "5");
    assertThat(items).extracting(Item::index).containsExactly(0, 1, 2);
  }

  @Test
  void objects_cannot_be_grouped() throws IOException {
    file("j", "{\"a\":1}\n");
    refused("-N is for items of one value; these have more", "-N", "2", "--jsonl", "j", "x");
  }
}
