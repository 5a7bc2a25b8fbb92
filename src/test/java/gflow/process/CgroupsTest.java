package gflow.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read and written, on a made-up machine whose kernel is the test. */
class CgroupsTest {
  private static final CgroupLimits LIMITS =
      new CgroupLimits(OptionalLong.of(1 << 30), List.of(0, 2, 3));

  @TempDir Path root;
  private String ours = "";

  @BeforeEach
  void name() {
    ours = "gflow-" + Proc.status(ProcessHandle.current().pid()).orElseThrow().uid();
  }

  private void file(String path, String text) throws IOException {
    var file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private String read(String path) throws IOException {
    return Files.readString(root.resolve(path));
  }

  /** A unit of systemd's user manager, delegated to us. */
  private String v2(String own, String controllers) throws IOException {
    file("proc/self/cgroup", "0::" + own + "\n");
    file("proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw shared:4 - cgroup2 cgroup2 rw\n");
    String folder = "sys/fs/cgroup" + own;
    for (String group : List.of(folder, folder + "/" + ours)) {
      file(group + "/cgroup.procs", "");
      file(group + "/cgroup.controllers", controllers + " io\n");
      file(group + "/cgroup.subtree_control", controllers + "\n");
      file(group + "/cgroup.kill", "");
    }
    return folder + "/" + ours;
  }

  @Test
  void version_2_limits_memory_and_cpus_and_reads_what_was_used() throws Exception {
    var base = v2("/user.slice/gflow.service", "memory cpuset");
    var cgroups = Cgroups.detect(Cgroups.Mode.AUTO, root);
    assertThat(cgroups.mode()).isEqualTo(Cgroups.Mode.V2);

    file(base + "/7.1/memory.swap.max", "max");
    var group = cgroups.open("7.1", new ProcessMark("m"), LIMITS);

    assertThat(group.enforced()).isEqualTo(LIMITS);
    assertThat(read(base + "/7.1/memory.max")).isEqualTo("1073741824");
    assertThat(read(base + "/7.1/memory.swap.max")).isEqualTo("0");
    assertThat(read(base + "/7.1/cpuset.cpus")).isEqualTo("0,2,3");
    assertThat(group.joinFiles()).containsExactly(root.resolve(base + "/7.1/cgroup.procs"));

    file(base + "/7.1/memory.peak", "12345\n");
    file(base + "/7.1/memory.events", "low 0\noom 4\noom_kill 2\noom_group_kill 0\n");
    file(base + "/7.1/cpu.stat", "usage_usec 1500000\nuser_usec 1000000\n");
    assertThat(group.used())
        .isEqualTo(
            new CgroupUsage(Optional.of(Duration.ofMillis(1500)), OptionalLong.of(12345), 2));

    group.kill(Duration.ZERO);
    assertThat(read(base + "/7.1/cgroup.kill")).isEqualTo("1");
  }

  @Test
  void controllers_are_asked_for_where_they_are_offered_but_not_yet_on() throws Exception {
    var base = v2("/a", "memory");
    file("sys/fs/cgroup/a/cgroup.subtree_control", "");
    file(base + "/cgroup.subtree_control", "");
    Cgroups.detect(Cgroups.Mode.V2, root);
    assertThat(read("sys/fs/cgroup/a/cgroup.subtree_control")).isEqualTo("+memory");
    assertThat(read(base + "/cgroup.subtree_control")).isEqualTo("+memory");
  }

  @Test
  void a_hybrid_machine_takes_membership_from_version_2_and_memory_from_version_1()
      throws Exception {
    var base = v2("/x", "");
    file("proc/self/cgroup", "4:memory:/jobs/mine\n3:cpu,cpuset:/\n0::/x\n");
    file(
        "proc/self/mountinfo",
        """
        30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw
        31 23 0:27 /jobs /sys/fs/memory rw - cgroup cgroup rw,memory
        """);
    file("sys/fs/memory/mine/cgroup.procs", "");
    file("sys/fs/memory/mine/" + ours + "/cgroup.procs", "");

    var cgroups = Cgroups.detect(Cgroups.Mode.AUTO, root);
    assertThat(cgroups.mode()).isEqualTo(Cgroups.Mode.V2);
    assertThat(cgroups.open("1.1", new ProcessMark("m"), CgroupLimits.NONE).joinFiles())
        .containsExactly(root.resolve(base + "/1.1/cgroup.procs"));

    var group =
        cgroups.open(
            "2.1", new ProcessMark("m"), new CgroupLimits(OptionalLong.of(4096), List.of()));
    assertThat(group.enforced().memoryBytes()).hasValue(4096);
    var memory = "sys/fs/memory/mine/" + ours + "/2.1/";
    assertThat(read(memory + "memory.limit_in_bytes")).isEqualTo("4096");
    assertThat(group.joinFiles())
        .containsExactly(
            root.resolve(base + "/2.1/cgroup.procs"), root.resolve(memory + "cgroup.procs"));
    file(memory + "memory.max_usage_in_bytes", "77\n");
    file(memory + "memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n");
    assertThat(group.used()).isEqualTo(new CgroupUsage(Optional.empty(), OptionalLong.of(77), 1));
    assertThat(cgroups.names()).containsExactly("1.1", "2.1");
  }

  @Test
  void a_kernel_without_cgroup_kill_is_not_used_by_version_2() throws Exception {
    var base = v2("/x", "memory");
    Files.delete(root.resolve(base + "/cgroup.kill"));
    assertThat(Cgroups.detect(Cgroups.Mode.AUTO, root).mode()).isEqualTo(Cgroups.Mode.NONE);
  }

  @Test
  void a_daemon_in_its_own_subgroup_or_in_a_job_keeps_the_jobs_outside() throws Exception {
    var base = v2("/unit", "memory");
    file("proc/self/cgroup", "0::/unit/gflow-daemon\n");
    var beside =
        Cgroups.detect(Cgroups.Mode.V2, root).open("1", new ProcessMark("m"), CgroupLimits.NONE);
    assertThat(beside.joinFiles()).containsExactly(root.resolve(base + "/1/cgroup.procs"));

    file("proc/self/cgroup", "0::/unit/" + ours + "/1\n");
    var above =
        Cgroups.detect(Cgroups.Mode.V2, root).open("2", new ProcessMark("m"), CgroupLimits.NONE);
    assertThat(above.joinFiles()).containsExactly(root.resolve(base + "/2/cgroup.procs"));
    assertThat(read("sys/fs/cgroup/unit/cgroup.procs"))
        .isEqualTo("" + ProcessHandle.current().pid());
  }

  @Test
  void a_machine_without_cgroups_gives_groups_without_limits() throws Exception {
    var cgroups = Cgroups.detect(Cgroups.Mode.AUTO, root);
    var group = cgroups.open("1", new ProcessMark("m"), LIMITS);
    assertThat(cgroups.mode()).isEqualTo(Cgroups.Mode.NONE);
    assertThat(group.enforced()).isEqualTo(CgroupLimits.NONE);
    assertThat(group.joinFiles()).isEmpty();
    assertThat(group.used()).isEqualTo(CgroupUsage.UNKNOWN);
  }
}
