package gflow.cli.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class UserFilesTest {
  @TempDir Path folder;

  /** The fuzzer found it, four times in a million: it ended the daemon for want of memory. */
  @Test
  @Timeout(60)
  void a_file_without_an_end_is_refused() {
    assertThatThrownBy(() -> UserFiles.bytes(Path.of("/dev/zero"), "--config: /dev/zero"))
        .isInstanceOf(Refused.class)
        .hasMessageStartingWith("--config: /dev/zero is larger than 4M");
  }

  @Test
  void others_are_read_whole() throws Exception {
    byte[] most = new byte[4 << 20];
    Path file = Files.write(folder.resolve("most"), most);

    assertThat(UserFiles.bytes(file, "most")).isEqualTo(most);
    assertThat(UserFiles.bytes(Path.of("/dev/null"), "null")).isEmpty();
    Files.write(file, new byte[most.length + 1]);
    assertThatThrownBy(() -> UserFiles.bytes(file, "most")).isInstanceOf(Refused.class);
  }
}
