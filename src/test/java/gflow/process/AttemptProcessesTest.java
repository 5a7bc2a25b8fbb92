package gflow.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class AttemptProcessesTest implements Trial {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir Path folder;

  static Cgroups cgroups(Cgroups.Mode mode) {
    var cgroups = Cgroups.detect(mode);
    assumeTrue(cgroups.mode() == mode, "skipped: no writable cgroup of " + mode + " here");
    return cgroups;
  }

  static Stream<Arguments> everyThicketInEveryMode() {
    return Stream.of(Cgroups.Mode.V2, Cgroups.Mode.V1, Cgroups.Mode.NONE)
        .flatMap(mode -> Stream.of(Thicket.values()).map(thicket -> Arguments.of(mode, thicket)));
  }

  private static String unique(String name) {
    return name + "." + ProcessHandle.current().pid() + "." + System.nanoTime();
  }

  /** What carries the mark, wherever it is. */
  private static List<Long> marked(ProcessMark mark) {
    return Proc.all().stream()
        .filter(mark::isOn)
        .filter(pid -> Proc.stat(pid).filter(stat -> !stat.dead()).isPresent())
        .toList();
  }

  /** As the end of a second daemon of this user does, while this one has no job. */
  @Test
  void a_limit_holds_though_somebody_has_removed_our_folder() throws Exception {
    List<Integer> one = Affinity.get(0).subList(0, 1);
    var mark = new ProcessMark(unique("refill"));
    try (var cgroups = Cgroups.detect(Cgroups.Mode.AUTO)) {
      assumeTrue(cgroups.limitsCpus(), "skipped: no cpusets here");
      Cgroups.detect(Cgroups.Mode.AUTO).close();

      try (var group =
          cgroups.open(mark.value(), mark, new CgroupLimits(OptionalLong.empty(), one))) {
        assertThat(group.enforced().cpus()).isEqualTo(one);
      }
    }
  }

  /** Fifty million bytes in a shell; a step's parent is marked before it starts its program. */
  @Test
  void how_large_it_was_is_known_by_a_look_and_of_each_step() throws Exception {
    var mark = new ProcessMark(unique("large"));
    Files.writeString(
        folder.resolve("grow"),
        "x=$(head -c 50000000 /dev/zero | tr '\\0' x)\n: >grown\nsleep 100\n");
    try (var cgroups = cgroups(Cgroups.Mode.NONE);
        var watch = new ProcessWatch();
        var group = cgroups.later(mark.value(), mark)) {
      String script = "until [ -e go ]; do sleep 0.01; done; sh grow & sleep 100";
      long pid = Launcher.best().spawn(Trial.sh(folder, script));
      var end = Trial.ended(watch, pid);
      group.started(ProcessId.of(pid).orElseThrow());
      assertThat(group.used().peakMemoryBytes()).isEmpty();
      mark.putOn(pid, 7);
      Files.writeString(folder.resolve("go"), "");
      while (!Files.exists(folder.resolve("grown"))) {
        Pause.millis(5);
      }
      group.look();

      assertThat(group.used().peakMemoryBytes().orElse(0)).isGreaterThan(50_000_000);
      assertThat(group.peak(7).orElse(0)).isGreaterThan(50_000_000);
      assertThat(group.peak(6)).isEmpty();
      group.kill(PATIENCE);
      end.get(30, TimeUnit.SECONDS);
      assertThat(group.used().peakMemoryBytes().orElse(0)).isGreaterThan(50_000_000);
    }
  }

  @ParameterizedTest
  @MethodSource("everyThicketInEveryMode")
  void it_ends_whole(Cgroups.Mode mode, Thicket thicket) throws Exception {
    var mark = new ProcessMark(unique("whole"));
    try (var cgroups = cgroups(mode);
        var watch = new ProcessWatch();
        var group = cgroups.open(mark.value(), mark, CgroupLimits.NONE)) {
      long wrapper = thicket.grow(group, folder);
      var end = Trial.ended(watch, wrapper);
      assertThat(group.members()).isNotEmpty();

      group.signal(Signals.TERM);
      assertThat(group.kill(PATIENCE)).isTrue();

      assertThat(group.members()).isEmpty();
      end.get(30, TimeUnit.SECONDS);
      assertThat(marked(mark)).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("everyThicketInEveryMode")
  void it_ends_whole_before_it_is_enclosed(Cgroups.Mode mode, Thicket thicket) throws Exception {
    var mark = new ProcessMark(unique("early"));
    try (var cgroups = cgroups(mode);
        var watch = new ProcessWatch();
        var group = cgroups.later(mark.value(), mark)) {
      var end = Trial.ended(watch, thicket.grow(group, folder));
      assertThat(group.kill(PATIENCE)).isTrue();
      end.get(30, TimeUnit.SECONDS);
      assertThat(marked(mark)).isEmpty();
    }
  }

  /** Which of its processes is there changes while we look; once in thirty it was missed. */
  @RepeatedTest(30)
  void a_runner_is_never_missed() throws Exception {
    var mark = new ProcessMark(unique("runner"));
    try (var cgroups = cgroups(Cgroups.Mode.NONE);
        var watch = new ProcessWatch();
        var group = cgroups.open(mark.value(), mark, CgroupLimits.NONE)) {
      var end = Trial.ended(watch, Thicket.RUNNER.grow(group, folder));
      assertThat(group.kill(PATIENCE)).isTrue();
      end.get(30, TimeUnit.SECONDS);
      assertThat(marked(mark)).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Cgroups.Mode.class,
      names = {"V2", "V1"})
  void what_runs_already_is_brought_into_the_cgroup(Cgroups.Mode mode) throws Exception {
    var mark = new ProcessMark(unique("enclosed"));
    try (var cgroups = cgroups(mode);
        var watch = new ProcessWatch();
        var group = cgroups.later(mark.value(), mark)) {
      var end = Trial.ended(watch, Thicket.NAMELESS_DAEMON.grow(group, folder));
      var members = group.members();
      assertThat(inside(mark)).isEmpty();

      group.enclose();

      assertThat(inside(mark)).containsExactlyInAnyOrderElementsOf(pids(members));
      assertThat(group.members()).containsExactlyInAnyOrderElementsOf(members);
      assertThat(group.kill(PATIENCE)).isTrue();
      end.get(30, TimeUnit.SECONDS);
      assertThat(marked(mark)).isEmpty();
    }
  }

  @Test
  void a_group_that_was_closed_gets_no_cgroup_any_more() {
    var mark = new ProcessMark(unique("closed"));
    try (var cgroups = cgroups(Cgroups.Mode.V2)) {
      var group = cgroups.later(mark.value(), mark);
      group.close();
      group.enclose();
      assertThat(cgroups.names()).doesNotContain(mark.value());
    }
  }

  private static List<Long> pids(List<ProcessId> processes) {
    return processes.stream().map(ProcessId::pid).toList();
  }

  /** The processes of which the kernel says that they are in the mark's cgroup. */
  private static List<Long> inside(ProcessMark mark) {
    return Proc.all().stream()
        .filter(pid -> ControlFile.read(Path.of("/proc/" + pid + "/cgroup")).contains(mark.value()))
        .toList();
  }

  @ParameterizedTest
  @EnumSource(
      value = Cgroups.Mode.class,
      names = {"V2", "V1", "NONE"})
  void what_an_attempt_leaves_behind_is_still_its_own_after_the_wrapper_is_gone(Cgroups.Mode mode)
      throws Exception {
    var mark = new ProcessMark(unique("left"));
    var other = new ProcessMark(unique("other"));
    try (var cgroups = cgroups(mode);
        var watch = new ProcessWatch();
        var bystander = cgroups.open(other.value(), other, CgroupLimits.NONE);
        var group = cgroups.open(mark.value(), mark, CgroupLimits.NONE)) {
      var yard = Files.createDirectory(folder.resolve("other"));
      long wrapperOfOther = Thicket.NAMELESS_DAEMON.grow(bystander, yard);
      var endOfOther = Trial.ended(watch, wrapperOfOther);
      long wrapper = Thicket.BACKGROUND_LOOP.grow(group, folder);
      Trial.ended(watch, wrapper).get(30, TimeUnit.SECONDS);

      assertThat(group.members()).isNotEmpty().doesNotContainAnyElementsOf(bystander.members());
      assertThat(group.kill(PATIENCE)).isTrue();

      // sh -c, sleep, and the daemon; the wrapper itself is the fourth.
      assertThat(bystander.members()).hasSizeGreaterThanOrEqualTo(3);
      assertThat(bystander.kill(PATIENCE)).isTrue();
      endOfOther.get(30, TimeUnit.SECONDS);
    }
  }

  @Test
  void a_quiet_end_is_seen_without_looking_at_all_processes() throws Exception {
    var mark = new ProcessMark(unique("quiet"));
    try (var watch = new ProcessWatch();
        var group = Cgroups.detect(Cgroups.Mode.NONE).open("quiet", mark, CgroupLimits.NONE)) {
      long pid = Launcher.best().spawn(Trial.sh(folder, "exit 0"));
      group.started(new ProcessId(pid, Proc.stat(pid).orElseThrow().startTime()));
      // A zombie is no member.
      Trial.until(() -> Proc.stat(pid).orElseThrow().state() == 'Z');
      assertThat(group.members()).isEmpty();
      assertThat(Proc.stat(pid)).isPresent();
      assertThat(Trial.ended(watch, pid).get(30, TimeUnit.SECONDS).exitCode()).hasValue(0);
      assertThat(group.members()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Cgroups.Mode.class,
      names = {"V2", "V1", "NONE"})
  void the_next_daemon_finds_the_attempt_again(Cgroups.Mode mode) throws Exception {
    var mark = new ProcessMark(unique("adopted"));
    try (var cgroups = cgroups(mode);
        var watch = new ProcessWatch();
        var first = cgroups.open(mark.value(), mark, CgroupLimits.NONE)) {
      long wrapper = Thicket.NAMELESS_DAEMON.grow(first, folder);
      var id = ProcessId.of(wrapper);
      var end = Trial.ended(watch, wrapper);
      if (mode != Cgroups.Mode.NONE) {
        assertThat(cgroups.names()).contains(mark.value());
      }
      try (var next = Cgroups.detect(mode);
          var group = next.adopt(mark.value(), mark, id)) {
        assertThat(group.members()).containsExactlyInAnyOrderElementsOf(first.members());
        Signals.send(id.orElseThrow(), Signals.KILL);
        end.get(30, TimeUnit.SECONDS);
        // Also with a wrapper that was dead before we came, whose pid may be another's by now.
        try (var late = next.adopt(mark.value(), mark, Optional.empty())) {
          assertThat(late.members()).hasSizeGreaterThanOrEqualTo(2);
          assertThat(late.kill(PATIENCE)).isTrue();
        }
        assertThat(group.members()).isEmpty();
      }
    }
    assertThat(marked(mark)).isEmpty();
  }

  @Test
  void the_wrapper_is_spared_a_signal_that_a_shell_dies_of() throws Exception {
    int usr1 = 10;
    var mark = new ProcessMark(unique("usr1"));
    try (var watch = new ProcessWatch();
        var group = Cgroups.detect(Cgroups.Mode.NONE).open("usr1", mark, CgroupLimits.NONE)) {
      long wrapper = Thicket.NAMELESS_DAEMON.grow(group, folder);
      var end = Trial.ended(watch, wrapper);
      assertThat(group.signal(usr1)).isEqualTo(2);
      // The program died of it, and the wrapper could say so.
      assertThat(end.get(30, TimeUnit.SECONDS).exitCode()).hasValue(128 + usr1);
      assertThat(group.kill(PATIENCE)).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Cgroups.Mode.class,
      names = {"AUTO", "V2", "V1"})
  void too_much_memory_is_noticed_where_a_limit_holds(Cgroups.Mode mode) throws Exception {
    var limits = new CgroupLimits(java.util.OptionalLong.of(30_000_000), List.of());
    var mark = new ProcessMark(unique("memory"));
    try (var cgroups = Cgroups.detect(mode);
        var group = cgroups.open(mark.value(), mark, limits)) {
      assumeTrue(group.enforced().equals(limits), "skipped: no limit on memory by " + mode);
      // tail keeps it all in memory.
      var script = "for f; do echo $$ > $f; done; (head -c 99000000 /dev/zero | tail -c 90000000)";
      var join = group.joinFiles().stream().map(Path::toString).toArray(String[]::new);
      Trial.run(Trial.sh(folder, script + "> /dev/null; :", join));
      var used = group.used();
      assertThat(used.oomKills()).isPositive();
      assertThat(used.peakMemoryBytes().orElseThrow()).isBetween(20_000_000L, 30_100_000L);
      assertThat(used.cpu().orElseThrow()).isPositive();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Cgroups.Mode.class,
      names = {"AUTO", "V2", "V1"})
  void an_attempt_keeps_to_its_cpus_where_that_holds(Cgroups.Mode mode) throws Exception {
    var limits =
        new CgroupLimits(java.util.OptionalLong.empty(), List.of(Affinity.get(0).getLast()));
    var mark = new ProcessMark(unique("cpus"));
    try (var cgroups = Cgroups.detect(mode);
        var group = cgroups.open(mark.value(), mark, limits)) {
      assumeTrue(group.enforced().equals(limits), "skipped: no binding to CPUs by " + mode);
      var script = "for f; do echo $$ > $f; done; exec grep Cpus_allowed_list /proc/self/status";
      var join = group.joinFiles().stream().map(Path::toString).toArray(String[]::new);
      Trial.run(Trial.sh(folder, script, join));
      assertThat(Files.readString(folder.resolve("out")).strip())
          .endsWith("\t" + limits.cpus().getFirst());
    }
  }
}
