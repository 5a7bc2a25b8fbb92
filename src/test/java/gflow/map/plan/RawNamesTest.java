package gflow.map.plan;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.map.items.Item;
import gflow.map.items.ItemFile;
import gflow.process.RawText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder whose names are no UTF-8, made by a shell, as Java could not write them. */
class RawNamesTest {
  private static final String FOLDER = RawText.of(new byte[] {'d', (byte) 0xff});
  private static final String FILE = RawText.of(new byte[] {(byte) 0xe4, '.', 'x', 'y', 'z'});

  @TempDir Path folder;

  @BeforeEach
  void fill() throws Exception {
    String line =
        "mkdir $'d\\xff' && printf 12345 > $'d\\xff/\\xe4.xyz' && echo 1 > $'d\\xff/ä.xyz'";
    Process bash =
        new ProcessBuilder("bash", "-c", line).directory(folder.toFile()).inheritIO().start();
    assertThat(bash.waitFor()).isZero();
  }

  @Test
  void names_survive_patterns_folders_and_the_file_of_items() throws Exception {
    List<String> expected = List.of(FOLDER + "/ä.xyz", FOLDER + "/" + FILE);
    assertThat(Orders.texts(folder, "--items", "*/*.xyz", "x")).isEqualTo(expected);
    assertThat(Orders.texts(folder, "--dir-path", FOLDER, "x")).isEqualTo(expected);
    assertThat(Orders.texts(folder, "--items", expected.get(1), "x"))
        .containsExactly(expected.get(1));

    Path items = folder.resolve("items");
    Orders.spool(folder, "", "--items", "*/*.xyz", "--size-from", "file", "x").write(items);
    assertThat(Files.readString(items, UTF_8)).contains("\\udcff/\\udce4.xyz");

    try (var read = ItemFile.read(items)) {
      Item largest = read.next();
      assertThat(largest.index()).isEqualTo(1);
      assertThat(RawText.bytes(largest.text()))
          .isEqualTo("d\u00ff/\u00e4.xyz".getBytes(ISO_8859_1));
    }
  }

  @Test
  void lines_that_are_no_text_survive_too() throws Exception {
    var seen = Orders.spool(folder, "\u00ff\n\u00e4\n", "--items-from", "-", "x").look(2);
    assertThat(seen.first()).extracting(Item::text).containsExactly("\udcff", "\udce4");
  }
}
