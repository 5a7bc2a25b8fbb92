package gflow;

import static org.assertj.core.api.Assertions.assertThat;

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

    Foreground.makePrivate(new Folders(data, data, data.resolve("run"), socket));

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
}
