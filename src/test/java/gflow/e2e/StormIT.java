package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import gflow.LongRuns;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * An array of tiny tasks that start and end all the time, several at once, while the daemon is
 * killed at random, alone or with its guard. Each task makes a file that must not be there, and
 * exits with a code of its own. {@code make storm KILLS=300 TASKS=20000} does it for longer.
 */
class StormIT {
  private static final long SEED = Long.getLong("storm.seed", 20261116);
  private static final int KILLS = Integer.getInteger("storm.kills", 3);
  private static final int TASKS = Integer.getInteger("storm.tasks", 600);
  private static final int CODES = 7;

  /** So many rows are read at a time: all those of a long storm would fill the heap. */
  private static final int SLICE = 5_000;

  private static final String TASK =
      "set -C; : >ran/$GFLOW_ARRAY_TASK_ID || echo $GFLOW_ARRAY_TASK_ID >>twice; "
          + "exit $((GFLOW_ARRAY_TASK_ID % "
          + CODES
          + "))";

  @Test
  void every_task_of_a_storm_runs_once_and_its_code_is_kept() throws Exception {
    try (var lab = new Lab("GFLOW_CPUS=8", "GFLOW_GPUS=none")) {
      int kills = storm(lab);

      assertNothingIsAwake(lab);
      String result =
          "%d kills (seed %d) in a storm of %d tasks: nothing lost, doubled, left or wrong"
              .formatted(kills, SEED, TASKS);
      System.out.println(result);
      LongRuns.note("make storm KILLS=%d TASKS=%d SEED=%d".formatted(KILLS, TASKS, SEED), result);
    }
  }

  private static int storm(Lab lab) throws Exception {
    lab.up();
    Path ran = Files.createDirectory(lab.work().resolve("ran"));
    long array = lab.submit("--array", "0-" + (TASKS - 1), "-o", "none", "sh", "-c", TASK);
    var random = new Random(SEED);
    int kills = 0;
    while (kills < KILLS && count(ran) < TASKS) {
      LockSupport.parkNanos(Duration.ofMillis(20 + random.nextInt(600)).toNanos());
      if (random.nextBoolean()) {
        lab.killOnlyDaemon();
      } else {
        lab.killDaemon();
      }
      lab.up();
      kills++;
    }
    awaitAllBegun(lab, ran);
    lab.awaitIdle();

    assertThat(lab.work().resolve("twice")).doesNotExist();
    assertThat(count(ran)).isEqualTo(TASKS);
    checkCodes(lab, array);
    assertThat(lab.processesOfJobs().stream().map(pid -> pid + " " + Lab.commandLine(pid)))
        .isEmpty();
    return kills;
  }

  /** Two seconds later the daemon takes no more time than a look at the clock does. */
  private static void assertNothingIsAwake(Lab lab) throws Exception {
    LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
    ProcessHandle daemon = lab.daemon().orElseThrow();
    Duration before = daemon.info().totalCpuDuration().orElseThrow();
    LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
    assertThat(daemon.info().totalCpuDuration().orElseThrow().minus(before))
        .isLessThan(Duration.ofMillis(100));
  }

  /** As long as tasks go on, however slow the machine is: how fast they go is bench's question. */
  private static void awaitAllBegun(Lab lab, Path ran) {
    for (long begun = count(ran); begun < TASKS; begun = count(ran)) {
      long next = Math.min(begun + 500, TASKS);
      lab.await(next + " tasks begun", () -> count(ran) >= next);
    }
  }

  /** Each task has one row, with its own code, and there is no other row. */
  private static void checkCodes(Lab lab, long array) {
    for (int from = 0; from < TASKS; from += SLICE) {
      int end = Math.min(from + SLICE, TASKS);
      assertThat(told(lab.jobs("-j", "%d_[%d-%d]".formatted(array, from, end - 1))))
          .isEqualTo(IntStream.range(from, end).mapToObj(StormIT::expected).sorted().toList());
    }
    assertThat(lab.json("gqueue", "-s", "all", "--limit", "1", "--json").get("total"))
        .isEqualTo((long) TASKS);
  }

  private static String expected(int task) {
    int code = task % CODES;
    return "%d %s %d".formatted(task, code == 0 ? "COMPLETED" : "FAILED", code);
  }

  private static List<String> told(List<Map<String, Object>> rows) {
    return rows.stream()
        .map(row -> "%s %s %s".formatted(row.get("array_task_id"), row.get("state"), code(row)))
        .sorted()
        .toList();
  }

  private static Object code(Map<String, Object> row) {
    return row.get("signal") instanceof Number signal ? "signal " + signal : row.get("exit_code");
  }

  private static long count(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
