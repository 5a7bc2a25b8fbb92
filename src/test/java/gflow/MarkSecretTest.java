package gflow;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.config.Folders;
import gflow.local.AttemptMarks;
import gflow.store.MemoryStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MarkSecretTest {
  @TempDir Path folder;

  /** The secret is the same for all of them, so that only the name tells them apart. */
  private AttemptMarks marks(String home) throws Exception {
    Path data = folder.resolve(home);
    var folders = Folders.of(Map.of("GFLOW_HOME", data.toString()), 7);
    Files.createDirectories(folders.jobs());
    var before = new TreeMap<>(Map.of("marks.secret", "secret"));
    return MarkSecret.of(7, folders, before, new MemoryStore());
  }

  /** Java's hash code of both paths is the same. */
  @Test
  void two_homes_have_two_names_whatever_their_hash_codes_are() throws Exception {
    assertThat(folder.resolve("Aa").toString()).hasSameHashCodeAs(folder.resolve("BB").toString());

    assertThat(marks("Aa").daemon()).isNotEqualTo(marks("BB").daemon());
  }

  @Test
  void one_home_has_one_name_by_whichever_path_it_is_reached() throws Exception {
    String name = marks("home").daemon();
    Files.createSymbolicLink(folder.resolve("link"), folder.resolve("home"));

    assertThat(marks("link").daemon()).isEqualTo(name);
  }
}
