package gflow.local;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.AttemptId;
import gflow.job.JobId;
import gflow.job.TaskId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftoversTest {
  @TempDir Path folder;

  private Places places = new Places(Path.of("/"), Path.of("/"), Path.of("/"), "host");

  @BeforeEach
  void files() throws Exception {
    places =
        new Places(folder.resolve("jobs"), folder.resolve("logs"), folder.resolve("tmp"), "host");
    for (int id = 1; id <= 2; id++) {
      Files.createDirectories(places.folder(attempt(id)).resolve("config/deep"));
      Files.writeString(places.record(attempt(id)), "void\n");
      Files.createDirectories(places.tmp(attempt(id)));
    }
  }

  private static AttemptId attempt(int id) {
    return new AttemptId(new TaskId(new JobId(id), 0), 1);
  }

  @Test
  void the_files_of_one_attempt_go_and_no_others_and_links_are_not_followed() throws Exception {
    Path kept = Files.writeString(folder.resolve("data"), "precious");
    Files.createSymbolicLink(places.tmp(attempt(1)).resolve("link"), kept);
    Files.createSymbolicLink(places.tmp(attempt(1)).resolve("up"), folder);

    Leftovers.remove(places, attempt(1));
    Leftovers.remove(places, attempt(1));

    assertThat(places.folder(attempt(1))).doesNotExist();
    assertThat(places.tmp(attempt(1))).doesNotExist();
    assertThat(kept).hasContent("precious");
    assertThat(places.record(attempt(2))).exists();
  }

  @Test
  void a_sweep_leaves_what_is_known() {
    Leftovers.sweep(places, Set.of("2.1"));

    assertThat(places.jobs()).isDirectoryNotContaining(p -> !p.endsWith("2.1"));
    assertThat(places.record(attempt(2))).exists();
    assertThat(places.tmp(attempt(2))).exists();
    assertThat(places.tmp(attempt(1))).doesNotExist();

    var nowhere = new Places(folder.resolve("x"), folder.resolve("y"), folder.resolve("z"), "host");
    Leftovers.sweep(nowhere, Set.of());
  }

  @Test
  void only_empty_logs_go() throws Exception {
    Path empty = Files.createFile(folder.resolve("empty.log"));
    Path full = Files.writeString(folder.resolve("full.log"), "x");

    Leftovers.removeIfEmpty(empty);
    Leftovers.removeIfEmpty(full);
    Leftovers.removeIfEmpty(folder.resolve("none.log"));

    assertThat(empty).doesNotExist();
    assertThat(full).hasContent("x");
  }
}
