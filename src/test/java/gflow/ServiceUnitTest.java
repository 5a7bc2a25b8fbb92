package gflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gflow.config.Folders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceUnitTest {
  @Test
  void jobs_outlive_the_service_and_get_cgroups_of_their_own() {
    assertThat(ServiceUnit.text(Path.of("/opt/g flow/bin/gflow"), ""))
        .isEqualTo(
            """
            [Unit]
            Description=gflow, a job scheduler for the GPUs of this machine
            StartLimitIntervalSec=0

            [Service]
            ExecStart="/opt/g flow/bin/gflow" gflowd --foreground
            KillMode=process
            Delegate=yes
            DelegateSubgroup=gflow-daemon
            Restart=on-failure
            RestartSec=1
            RestartSteps=6
            RestartMaxDelaySec=60
            SuccessExitStatus=143
            RestartPreventExitStatus=75

            [Install]
            WantedBy=default.target
            """);
  }

  @Test
  void a_home_of_its_own_is_kept_with_its_odd_letters() {
    assertThat(ServiceUnit.text(Path.of("/b/100%/gflow"), "/home/a b/\"x\"%h"))
        .contains("ExecStart=\"/b/100%%/gflow\" gflowd")
        .contains("\nEnvironment=\"GFLOW_HOME=/home/a b/\\\"x\\\"%%h\"\nKillMode");
  }

  @Test
  void the_folders_of_the_daemon_are_private_also_those_of_a_socket_elsewhere(@TempDir Path top)
      throws Exception {
    Path data = Files.createDirectories(top.resolve("data"));
    Path socket = top.resolve("gflow-1000/abc/gflow.sock");

    int us = (int) Files.getAttribute(top, "unix:uid");
    Foreground.makePrivate(new Folders(data, data, data.resolve("run"), socket), us);

    for (Path folder :
        new Path[] {
          data,
          data.resolve("run/door"),
          data.resolve("logs"),
          socket.getParent(),
          socket.getParent().getParent()
        }) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
          .as(folder.toString())
          .isEqualTo("rwx------");
    }
  }

  @Test
  void what_somebody_else_made_in_tmp_is_neither_taken_nor_changed(@TempDir Path top)
      throws Exception {
    int us = (int) Files.getAttribute(top, "unix:uid");
    Path theirs = Files.createDirectory(top.resolve("theirs"));
    Path link = Files.createSymbolicLink(top.resolve("link"), theirs);
    Path file = Files.createFile(top.resolve("file"));

    for (Path trap : new Path[] {link, file}) {
      assertThat(TemporaryFolder.claim(trap, us)).as(trap.toString()).isFalse();
    }
    // As if it were of another user.
    assertThat(TemporaryFolder.claim(theirs, us + 1)).isFalse();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(theirs)))
        .isNotEqualTo("rwx------");
    assertThat(TemporaryFolder.claim(theirs, us)).isTrue();
    assertThat(TemporaryFolder.claim(top.resolve("new"), us)).isTrue();

    Path data = Files.createDirectories(top.resolve("data"));
    var folders = new Folders(data, data, data.resolve("run"), link.resolve("abc/gflow.sock"));
    assertThatThrownBy(() -> Foreground.makePrivate(folders, us))
        .hasMessageContaining("set GFLOW_HOME to a folder with a shorter path");
  }
}
