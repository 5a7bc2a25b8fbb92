package gflow;

import static gflow.HealthChecks.Level.OK;
import static gflow.HealthChecks.Level.WARNING;
import static gflow.HealthChecks.Level.WRONG;
import static org.assertj.core.api.Assertions.assertThat;

import gflow.HealthChecks.Finding;
import gflow.HealthChecks.Level;
import gflow.api.Answer;
import gflow.api.DaemonStatus;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class DoctorTest {
  private static final Path HOME = Path.of("/home/ann/gflow");
  private static final Instant NOON = Instant.parse("2026-11-15T12:00:00Z");
  private static final Answer<DaemonStatus> NOBODY =
      new Answer.No<>(Answer.Kind.NO_DAEMON, "gflowd does not run");

  @Test
  void a_gpu_without_a_driver_is_wrong_and_a_machine_without_gpus_is_well() {
    assertThat(HealthChecks.driver(true, Optional.of("570.86"))).satisfies(is(OK, "NVIDIA 570.86"));
    assertThat(HealthChecks.driver(false, Optional.empty())).satisfies(is(OK, "no NVIDIA GPU"));
    assertThat(HealthChecks.driver(true, Optional.empty()))
        .satisfies(is(WRONG, "no driver", "sudo modprobe nvidia"));
  }

  @Test
  void a_driver_that_shows_no_gpu_is_wrong() {
    assertThat(HealthChecks.nvml(true, 8, "NVML, driver 570.86")).satisfies(is(OK, "8 GPUs"));
    assertThat(HealthChecks.nvml(false, 0, "none: libnvidia-ml.so.1 not found"))
        .satisfies(is(OK, "not needed"));
    assertThat(HealthChecks.nvml(true, 0, "none: libnvidia-ml.so.1 not found"))
        .satisfies(is(WRONG, "libnvidia-ml.so.1 not found", "nvidia-smi"));
  }

  @Test
  void mps_and_namespaces_are_not_needed_but_missed() {
    assertThat(HealthChecks.mps(1, Optional.of(Path.of("/usr/bin/x")))).satisfies(is(OK, "/usr"));
    assertThat(HealthChecks.mps(0, Optional.empty())).satisfies(is(OK, "not needed"));
    assertThat(HealthChecks.mps(1, Optional.empty()))
        .satisfies(is(WARNING, "take turns", "apt install nvidia-cuda-mps"));
    assertThat(HealthChecks.namespaces(Optional.empty())).satisfies(is(OK, "may"));
    assertThat(HealthChecks.namespaces(Optional.of("a.b=1")))
        .satisfies(is(WARNING, "apptainer", "sudo sysctl -w a.b=1"));
  }

  @Test
  void without_a_cgroup_or_lingering_the_unit_of_systemd_helps() {
    assertThat(HealthChecks.cgroup("v2")).satisfies(is(OK, "v2"));
    assertThat(HealthChecks.cgroup("none"))
        .satisfies(is(WARNING, "memory is not limited", "gflowd service install"));
    assertThat(HealthChecks.linger(true, false, true)).satisfies(is(OK, "on"));
    assertThat(HealthChecks.linger(true, true, false)).satisfies(is(OK, "not needed"));
    assertThat(HealthChecks.linger(false, false, false)).satisfies(is(OK, "not needed"));
    assertThat(HealthChecks.linger(true, false, false))
        .satisfies(is(WARNING, "logout", "loginctl enable-linger"));
  }

  @Test
  void a_full_disk_is_wrong_and_one_on_another_machine_is_said() {
    assertThat(HealthChecks.disk(HOME, 5L << 30, 1L << 30, "ext4")).satisfies(is(OK, "5G free"));
    assertThat(HealthChecks.disk(HOME, 5L << 30, 1L << 30, "nfs4"))
        .satisfies(is(WARNING, "another machine", "export GFLOW_HOME="));
    assertThat(HealthChecks.disk(HOME, 1L << 20, 1L << 30, "nfs4"))
        .satisfies(is(WRONG, "nothing starts below 1G", "gctl prune --older-than 30d"));
  }

  @Test
  void a_clock_that_went_back_is_wrong() {
    assertThat(HealthChecks.clock(true, NOON, NOON.plusSeconds(9))).satisfies(is(OK, "right"));
    assertThat(HealthChecks.clock(false, NOON, Instant.EPOCH))
        .satisfies(is(WARNING, "nothing keeps it", "timedatectl set-ntp true"));
    assertThat(HealthChecks.clock(true, NOON, NOON.plusSeconds(61)))
        .satisfies(is(WRONG, "written at 2026-11-15T12:01:01Z", "timedatectl"));
  }

  @Test
  void a_config_that_does_not_parse_is_wrong() {
    var file = Path.of("/c/gflow.toml");
    assertThat(HealthChecks.config(file, List.of())).satisfies(is(OK, "/c/gflow.toml"));
    assertThat(HealthChecks.config(file, List.of("/c/gflow.toml:3: no", "/c/gflow.toml:4: no")))
        .satisfies(is(WRONG, "/c/gflow.toml:3: no (and 1 more)", "/c/gflow.toml"));
  }

  @Test
  void a_daemon_that_does_not_answer_is_wrong_and_none_is_only_said() {
    assertThat(HealthChecks.daemon(status(List.of()), OptionalLong.of(7), "0.1.0"))
        .satisfies(is(OK, "gflowd 0.1.0, pid 7"));
    assertThat(HealthChecks.daemon(status(List.of()), OptionalLong.of(7), "0.2.0"))
        .satisfies(is(WARNING, "this program is 0.2.0", "gflowd restart"));
    assertThat(HealthChecks.daemon(status(List.of("disk is full")), OptionalLong.of(7), "0.1.0"))
        .satisfies(is(WARNING, "disk is full", "gflowd status"));
    assertThat(HealthChecks.daemon(NOBODY, OptionalLong.empty(), "0.1.0"))
        .satisfies(is(WARNING, "does not run", "gflowd up"));
    assertThat(HealthChecks.daemon(NOBODY, OptionalLong.of(7), "0.1.0"))
        .satisfies(is(WRONG, "pid 7 does not answer", "kill 7"));
  }

  @Test
  void the_line_to_type_stands_below_what_is_wrong() {
    assertThat(
            Doctor.text(
                List.of(HealthChecks.cgroup("v1"), HealthChecks.driver(true, Optional.empty()))))
        .isEqualTo(
            """
            cgroup    ok       v1
            driver    wrong    there is an NVIDIA GPU and no driver
                                 sudo modprobe nvidia
            """);
  }

  private static Answer<DaemonStatus> status(List<String> problems) {
    return Answer.ok(
        new DaemonStatus(
            7,
            "0.1.0",
            "h",
            "t",
            "/d",
            "/s",
            "nvml",
            1,
            false,
            1,
            1,
            "v2",
            "all jobs",
            "none",
            List.of(),
            0,
            0,
            problems,
            List.of()));
  }

  private static java.util.function.Consumer<Finding> is(Level level, String... parts) {
    return finding -> {
      assertThat(finding.level()).isEqualTo(level);
      assertThat(finding.text()).contains(parts[0]);
      assertThat(finding.type().isPresent()).isEqualTo(level != OK);
      if (parts.length > 1) {
        assertThat(finding.type().orElseThrow()).contains(parts[1]);
      }
    };
  }
}
