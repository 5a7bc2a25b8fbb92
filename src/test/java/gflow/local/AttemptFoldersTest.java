package gflow.local;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.AttemptId;
import gflow.job.JobId;
import gflow.job.TaskId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttemptFoldersTest {
  @TempDir Path folder;

  private AttemptPaths places = new AttemptPaths(Path.of("/"), Path.of("/"), Path.of("/"), "host");

  @BeforeEach
  void files() throws Exception {
    places =
        new AttemptPaths(
            folder.resolve("jobs"), folder.resolve("logs"), folder.resolve("tmp"), "host");
    for (int id = 1; id <= 2; id++) {
      Files.createDirectories(places.folder(attempt(id)).resolve("config/deep"));
      Files.writeString(places.record(attempt(id)), "void\n");
      Files.createDirectories(places.tmp(attempt(id)));
    }
  }

  private static AttemptId attempt(int id) {
    return new AttemptId(new TaskId(new JobId(id)), 1);
  }

  @Test
  void the_files_of_one_attempt_go_and_no_others_and_links_are_not_followed() throws Exception {
    Path kept = Files.writeString(folder.resolve("data"), "precious");
    Files.createSymbolicLink(places.tmp(attempt(1)).resolve("link"), kept);
    Files.createSymbolicLink(places.tmp(attempt(1)).resolve("up"), folder);

    var folders = new AttemptFolders(places);
    folders.remove(attempt(1));
    folders.remove(attempt(1));

    assertThat(places.folder(attempt(1))).doesNotExist();
    assertThat(places.tmp(attempt(1))).doesNotExist();
    assertThat(kept).hasContent("precious");
    assertThat(places.record(attempt(2))).exists();
  }

  @Test
  void a_sweep_leaves_what_is_known() {
    AttemptFolders.sweep(places, Set.of("2.1"));

    assertThat(places.jobs()).isDirectoryNotContaining(p -> !p.endsWith("2.1"));
    assertThat(places.record(attempt(2))).exists();
    assertThat(places.tmp(attempt(2))).exists();
    assertThat(places.tmp(attempt(1))).doesNotExist();

    var nowhere =
        new AttemptPaths(folder.resolve("x"), folder.resolve("y"), folder.resolve("z"), "host");
    AttemptFolders.sweep(nowhere, Set.of());
  }

  @Test
  void an_empty_folder_is_used_again_as_if_it_were_new() throws Exception {
    var folders = new AttemptFolders(places);
    folders.make(attempt(3));
    Files.writeString(places.record(attempt(3)), "start 1 b\n");
    Object inode = Files.getAttribute(places.tmp(attempt(3)), "unix:ino");
    Files.setPosixFilePermissions(
        places.tmp(attempt(3)), PosixFilePermissions.fromString("r-x------"));
    folders.remove(attempt(3));
    assertThat(places.folder(attempt(3))).doesNotExist();
    assertThat(places.tmp(attempt(3))).doesNotExist();

    folders.make(attempt(4));
    assertThat(places.folder(attempt(4))).isEmptyDirectory();
    assertThat(places.tmp(attempt(4))).isEmptyDirectory();
    assertThat(Files.getAttribute(places.tmp(attempt(4)), "unix:ino")).isEqualTo(inode);
    assertThat(Files.getPosixFilePermissions(places.tmp(attempt(4)))).hasSize(3);

    folders.remove(attempt(4));
    folders.close();
    assertThat(places.jobs().toFile().list()).containsExactlyInAnyOrder("1.1", "2.1");
  }

  @Test
  void a_spare_folder_that_somebody_removed_is_not_missed() throws Exception {
    var folders = new AttemptFolders(places);
    folders.make(attempt(3));
    folders.remove(attempt(3));
    AttemptFolders.sweep(places, Set.of());
    folders.make(attempt(4));
    assertThat(places.folder(attempt(4))).isEmptyDirectory();
  }

  @Test
  void only_empty_logs_go() throws Exception {
    Path empty = Files.createFile(folder.resolve("empty.log"));
    Path full = Files.writeString(folder.resolve("full.log"), "x");

    AttemptFolders.removeIfEmpty(empty);
    AttemptFolders.removeIfEmpty(full);
    AttemptFolders.removeIfEmpty(folder.resolve("none.log"));

    assertThat(empty).doesNotExist();
    assertThat(full).hasContent("x");
  }
}
