package gflow.map.results;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileReplacementTest {
  @TempDir Path top;
  private MapFolder folder;

  @BeforeEach
  void before() throws IOException {
    folder = new MapFolder(top);
    for (Path file : new Path[] {folder.results(), folder.items(), folder.plan()}) {
      Files.writeString(file, "old");
      Files.writeString(FileReplacement.fresh(file), "new");
    }
  }

  private void allAre(String text) {
    assertThat(folder.results()).hasContent(text);
    assertThat(folder.items()).hasContent(text);
    assertThat(folder.plan()).hasContent(text);
    assertThat(top).isDirectoryNotContaining(file -> file.toString().endsWith(".new"));
    assertThat(top.resolve("replacing")).doesNotExist();
  }

  @Test
  void all_take_their_places() throws IOException {
    FileReplacement.commit(folder);

    allAre("new");
  }

  @Test
  void a_crash_before_the_mark_leaves_the_old_ones() throws IOException {
    FileReplacement.finish(folder);

    allAre("old");
  }

  @Test
  void a_crash_after_the_mark_is_gone_on_with_by_whoever_comes_next() throws IOException {
    Files.createFile(top.resolve("replacing"));
    Files.move(FileReplacement.fresh(folder.results()), folder.results(), REPLACE_EXISTING);
    FileReplacement.finish(folder);

    allAre("new");
  }
}
