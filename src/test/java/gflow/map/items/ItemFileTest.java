package gflow.map.items;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.map.plan.ItemSpool;
import gflow.map.plan.MillionItems;
import gflow.map.plan.Orders;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class ItemFileTest {
  @TempDir Path folder;

  private ItemSpool.Spooled write(String... words) throws Exception {
    return Orders.spool(folder, "", words).write(folder.resolve("items"));
  }

  private List<Item> read() throws IOException {
    var items = new ArrayList<Item>();
    try (var reading = ItemFile.read(folder.resolve("items"))) {
      reading.forEachRemaining(items::add);
    }
    return items;
  }

  @Test
  void every_kind_of_item_is_read_back_as_it_was() throws Exception {
    Files.writeString(folder.resolve("t.csv"), "a,b\n1,\"x\ny\"\n");
    for (String[] words :
        List.of(
            new String[] {"x", ":::", "a\nb", "\"{}'", ""},
            new String[] {"x", ":::", "a", "b", ":::", "1"},
            new String[] {"--csv", "t.csv", "x"},
            new String[] {"-N", "2", "x", ":::", "a", "b", "c"})) {
      assertThat(write(words).written().count()).isEqualTo(read().size());
      assertThat(read()).isEqualTo(Orders.items(folder, words));
    }
  }

  @Test
  void the_lines_are_as_the_page_says() throws Exception {
    Files.writeString(folder.resolve("t.csv"), "a,n\nx,1\ny,2\n");
    write("--csv", "t.csv", "x");
    assertThat(folder.resolve("items"))
        .hasContent(
            """
            {"values":["x","1"],"columns":{"a":"x","n":"1"}}
            {"values":["y","2"],"columns":{"a":"y","n":"2"}}
            """);
    write("--csv", "t.csv", "--size-from", "n", "x");
    assertThat(folder.resolve("items"))
        .hasContent(
            """
            {"index":1,"values":["y","2"],"columns":{"a":"y","n":"2"}}
            {"index":0,"values":["x","1"],"columns":{"a":"x","n":"1"}}
            """);
    assertThat(folder).isDirectoryNotContaining("glob:**.unsorted");
  }

  @Test
  void the_hash_is_of_the_list_as_it_was_given() throws Exception {
    Files.writeString(folder.resolve("t.csv"), "a,n\nx,1\ny,2\n");
    String plain = write("--csv", "t.csv", "x").written().sha256();
    assertThat(plain).matches("[0-9a-f]{64}");
    assertThat(write("--csv", "t.csv", "--size-from", "n", "x").written().sha256())
        .isEqualTo(plain);
    assertThat(write("x", ":::", "a", "b").written().sha256())
        .isNotEqualTo(write("x", ":::", "b", "a").written().sha256());
  }

  @Test
  void the_largest_come_first_and_equals_stay_in_order() throws Exception {
    for (String name : List.of("a", "bbb", "cc", "ddd")) {
      Files.writeString(folder.resolve(name), name);
    }
    write("--size-from", "file", "x", ":::", "a", "bbb", "cc", "ddd");
    assertThat(read()).extracting(Item::text).containsExactly("bbb", "ddd", "cc", "a");
    assertThat(read()).extracting(Item::index).containsExactly(1, 3, 2, 0);
  }

  @Test
  void a_size_that_is_not_to_be_had_is_said_and_nothing_is_left() throws Exception {
    Files.writeString(folder.resolve("t.csv"), "a,n\nx,1\ny,two\n");
    refused(
        "--size-from file: nix: there is no such file", "--size-from", "file", "x", ":::", "nix");
    refused(
        "--size-from n: item 2 has no number but 'two'", "--size-from", "n", "--csv", "t.csv", "x");
    refused("--size-from m: item 1 has no column 'm'", "--size-from", "m", "--csv", "t.csv", "x");
    refused(
        "--size-from file:a: x: there is no such file",
        "--size-from",
        "file:a",
        "--csv",
        "t.csv",
        "x");
    assertThat(folder).isDirectoryNotContaining("glob:**items*");
  }

  private void refused(String line, String... words) {
    assertThatThrownBy(() -> write(words)).isInstanceOf(BadItems.class).hasMessage(line);
    assertThatThrownBy(() -> Orders.spool(folder, "", words).look(1)).hasMessage(line);
  }

  @Test
  void a_bad_list_leaves_no_file() throws IOException {
    Files.writeString(folder.resolve("j"), "1\nx\n");
    assertThatThrownBy(() -> write("--jsonl", "j", "x")).isInstanceOf(BadItems.class);
    assertThat(folder).isDirectoryNotContaining("glob:**items*");
    assertThatThrownBy(() -> Orders.spool(folder, "", "x", ":::", "a").write(Path.of("/nix/items")))
        .hasMessageStartingWith("cannot write /nix/items: ");
  }

  @Test
  void a_damaged_file_is_no_end_of_the_list() throws IOException {
    Files.writeString(folder.resolve("items"), "\"a\"\n{\"val\n");
    assertThatThrownBy(this::read)
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("items line 2 is damaged");
  }

  @Test
  void an_earlier_run_has_its_items() throws Exception {
    write("x", ":::", "a", "b");
    assertThat(Orders.texts(folder, "--resume", "--results", ".")).containsExactly("a", "b");
  }

  @Test
  void a_million_items_need_little_memory() throws Exception {
    Path list = folder.resolve("list");
    var lines = new StringBuilder();
    for (int i = 0; i < 1_000_000; i++) {
      lines.append("data/molecule_").append(i).append(".xyz\n");
    }
    Files.writeString(list, lines);
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process run =
        new ProcessBuilder(
                java,
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                MillionItems.class.getName(),
                folder.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(run.getInputStream().readAllBytes(), UTF_8);
    assertThat(run.waitFor()).as(said).isZero();
    assertThat(said).isEqualTo("1000000 items are there and back\n");
  }
}
