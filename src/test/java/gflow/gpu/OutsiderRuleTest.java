package gflow.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.job.GpuId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OutsiderRuleTest {
  private static final long LIMIT = 500L << 20;

  @Test
  void a_process_above_the_limit_makes_the_gpu_busy_and_is_named() {
    assertThat(busy(reading(process(4711, "alice", "python", 21.3))))
        .contains("python of alice, pid 4711, 21.3G");
    assertThat(busy(reading(process(1, "bob", "lmp", 0.6)))).contains("lmp of bob, pid 1, 614M");
  }

  @Test
  void a_gpu_without_processes_is_free() {
    assertThat(busy(reading())).isEmpty();
  }

  @Test
  void exactly_the_limit_is_not_above_it() {
    assertThat(busy(reading(holding(1, OptionalLong.of(LIMIT))))).isEmpty();
    assertThat(busy(reading(holding(1, OptionalLong.of(LIMIT + 1))))).isPresent();
  }

  @Test
  void our_own_processes_do_not_count() {
    var reading = reading(process(10, "me", "python", 20), process(11, "alice", "python", 2));

    assertThat(OutsiderRule.busyBy(reading, Set.of(10L)::contains, LIMIT, List.of(), List.of()))
        .contains("python of alice, pid 11, 2.0G");
    assertThat(
            OutsiderRule.busyBy(reading, Set.of(10L, 11L)::contains, LIMIT, List.of(), List.of()))
        .isEmpty();
  }

  @Test
  void users_and_commands_can_be_ignored_by_their_whole_name() {
    var reading = reading(process(1, "alice", "python", 2));

    assertThat(ignoring(reading, List.of("alice"), List.of())).isEmpty();
    assertThat(ignoring(reading, List.of(), List.of("python"))).isEmpty();
    assertThat(ignoring(reading, List.of("ali", "python"), List.of("pyth", "alice"))).isPresent();
  }

  @Test
  void the_largest_is_named_and_the_others_are_counted() {
    var reading =
        reading(
            process(1, "alice", "a", 1), process(2, "bob", "b", 9), process(3, "carol", "c", 2));

    assertThat(busy(reading)).contains("b of bob, pid 2, 9.0G and 2 more");
  }

  @Test
  void unknown_memory_counts_unless_the_whole_gpu_holds_little() {
    var process = holding(7, OptionalLong.empty());

    assertThat(busy(reading(OptionalLong.of(LIMIT), process))).isEmpty();
    assertThat(busy(reading(OptionalLong.of(LIMIT + 1), process)))
        .contains("python of alice, pid 7");
    assertThat(busy(reading(OptionalLong.empty(), process))).contains("python of alice, pid 7");
  }

  @Test
  void a_process_that_cannot_be_seen_from_here_is_named_by_its_pid() {
    assertThat(busy(reading(process(9, GpuProcess.UNSEEN, GpuProcess.UNSEEN, 3))))
        .contains("process 9, which is not visible here, 3.0G");
  }

  private static Optional<String> busy(GpuReading reading) {
    return ignoring(reading, List.of(), List.of());
  }

  private static Optional<String> ignoring(
      GpuReading reading, List<String> users, List<String> commands) {
    return OutsiderRule.busyBy(reading, pid -> false, LIMIT, users, commands);
  }

  private static GpuProcess process(long pid, String user, String command, double gigabytes) {
    return new GpuProcess(pid, user, command, OptionalLong.of((long) (gigabytes * (1L << 30))));
  }

  private static GpuProcess holding(long pid, OptionalLong memory) {
    return new GpuProcess(pid, "alice", "python", memory);
  }

  private static GpuReading reading(GpuProcess... processes) {
    return reading(OptionalLong.of(30L << 30), processes);
  }

  private static GpuReading reading(OptionalLong used, GpuProcess... processes) {
    return new GpuReading(
        new GpuId("GPU-1"),
        used,
        OptionalInt.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        List.of(processes),
        Optional.empty());
  }
}
