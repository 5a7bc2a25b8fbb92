package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Law 10: a daemon serves its own user, and by the kernel's word. */
class PermissionsIT {
  private static final int NOBODY = 65534;
  private static final int SOMEBODY = 65533;

  @Test
  void a_daemon_without_root_does_all_that_a_daemon_does() throws Exception {
    Programs.assumeUsableBy(NOBODY);
    try (var lab = Lab.ofUser(NOBODY)) {
      lab.up();
      long id = lab.submit("--gpus", "1", "--wrap", "id -u; exit 4");
      lab.awaitState(id, "FAILED");
      assertThat(lab.log(id)).isEqualTo(NOBODY + "\n");
      long tree = lab.submit("--wrap", "setsid sleep 600 & env -i setsid sleep 600 & sleep 600");
      lab.await("three sleepers", () -> Lab.processesIn(lab.work()).size() >= 4);
      lab.killDaemon();
      lab.up();
      lab.ok("gcancel", Long.toString(tree));
      lab.awaitState(tree, "CANCELLED");
      assertThat(Lab.processesIn(lab.work())).isEmpty();
      assertThat(readableByOthers(lab.home())).isEmpty();
    }
  }

  private static List<Path> readableByOthers(Path top) throws Exception {
    try (Stream<Path> all = Files.walk(top)) {
      var open = new ArrayList<Path>();
      for (Path path : all.toList()) {
        Set<PosixFilePermission> mode =
            Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
        if (mode.stream().anyMatch(p -> !p.name().startsWith("OWNER"))) {
          open.add(path);
        }
      }
      return open;
    }
  }

  @Test
  void others_are_kept_out_by_the_files_and_then_by_the_daemon() throws Exception {
    Programs.assumeUsableBy(NOBODY);
    try (var lab = Lab.ofUser(NOBODY)) {
      lab.up();
      long id = lab.submit("--hold", "true");
      refused(lab, SOMEBODY);
      // Whoever opens the folders by mistake has still a socket that knows its callers.
      for (Path path :
          List.of(
              lab.home().getParent(),
              lab.home(),
              lab.home().resolve("run"),
              lab.home().resolve("run/door"),
              lab.home().resolve("run/door/knock"),
              lab.home().resolve("run/door/daemon"),
              lab.home().resolve("run/gflow.sock"))) {
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
      }
      refused(lab, SOMEBODY);
      refused(lab, 0);
      assertThat(lab.state(id)).isEqualTo("PENDING");
      assertThat(lab.jobs()).hasSize(1);
    }
  }

  private static void refused(Lab lab, int uid) {
    for (String line : List.of("gqueue", "gcancel 1", "gctl drain 0", "gflowd down")) {
      Lab.Said said = lab.runAs(uid, line.split(" ", -1));
      assertThat(said.code()).as("%s by %s: %s", line, uid, said).isNotZero();
      assertThat(said.out()).as("%s by %s", line, uid).isEmpty();
      assertThat(said.err()).as("%s by %s", line, uid).hasLineCount(1);
    }
    assertThat(lab.run("gqueue").code()).as("it still serves its own").isZero();
  }
}
