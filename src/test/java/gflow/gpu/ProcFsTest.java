package gflow.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProcFsTest {
  @TempDir Path root;

  @Test
  void this_very_process_is_seen_with_its_user_and_program() throws IOException {
    long self = ProcessHandle.current().pid();

    var seen = new ProcFs(Path.of("/proc")).look(self).orElseThrow();

    assertThat(seen.user()).isEqualTo(Files.getOwner(Path.of("/proc/self/")).getName());
    assertThat(seen.command()).isEqualTo("java");
  }

  @Test
  void a_process_that_is_not_there_is_not_seen() {
    assertThat(new ProcFs(root).look(4711)).isEmpty();
  }

  @ParameterizedTest(name = "[{0}] is {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "/opt/conda/bin/python3~train.py~|python3",
        "python~train.py~|python",
        "./bin/lmp~-in~x~|lmp",
        "/opt/my tools/run me~|run me",
        "ray::train step 7/100~|ray::train",
        "/bin/evil\u001b[2J~|evil?[2J",
        "\"\"|shortname",
        "~~|shortname",
      })
  void the_command_is_the_base_name_of_the_program(String words, String command)
      throws IOException {
    Path process = Files.createDirectory(root.resolve("4711"));
    Files.writeString(process.resolve("cmdline"), words.replace('~', '\0'));
    Files.writeString(process.resolve("comm"), "shortname\n");

    assertThat(new ProcFs(root).look(4711).orElseThrow().command()).isEqualTo(command);
  }

  @Test
  void a_long_name_is_cut() throws IOException {
    Path process = Files.createDirectory(root.resolve("1"));
    Files.writeString(process.resolve("cmdline"), "/" + "x".repeat(5000) + "\0");

    assertThat(new ProcFs(root).look(1).orElseThrow().command()).isEqualTo("x".repeat(64));
  }
}
