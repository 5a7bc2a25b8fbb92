package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Law 7: a job ends whole, by each way to find its processes. Each job has a folder of its own, and
 * whatever stands in it is known to be of that job whether gflow knows it or not.
 */
class WholeIT {
  private static final Duration GRACE = Duration.ofSeconds(2);
  private static final Duration LOADED_MACHINE = Duration.ofSeconds(10);
  private static final Set<String> OVER = Set.of("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT");

  /** What each sort of job leaves behind before it goes on. */
  private static final Map<String, String> SORTS =
      new TreeMap<>(
          Map.of(
              "forks_twice", "( ( sleep 1000 & ) & )",
              "new_session", "setsid sleep 1000 &",
              "ignores_term",
                  "trap '' TERM INT HUP; sh -c 'trap \"\" TERM; while :; do sleep 1; done' &",
              "empty_environment", "env -i setsid sh -c '(while :; do sleep 1; done) & exit'",
              "background_loop", "while :; do sleep 0.2; done &"));

  private enum Ending {
    BY_ITSELF,
    CANCELLED,
    TIME_LIMIT
  }

  private record Started(long id, String name, Ending ending, Path folder) {}

  @ParameterizedTest(name = "kill = {0}, launcher = {1}")
  @CsvSource({"cgroup2, auto", "cgroup1, auto", "none, native", "none, builder"})
  void every_process_of_a_job_ends_with_it(String kill, String launcher) throws Exception {
    try (var lab = new Lab("GFLOW_CPUS=64")) {
      lab.configure(
          """
          [process]
          kill = "%s"
          launcher = "%s"
          [defaults]
          grace = "%ds"
          """
              .formatted(kill, launcher, GRACE.toSeconds()));
      lab.up();
      String way = String.valueOf(lab.json("gflowd", "status", "--json").get("processes"));
      assumeTrue(
          way.equals(kill.replace("cgroup", "v")),
          () -> kill + " is not writable here: this way to end jobs is not tried");
      List<Started> all = new ArrayList<>(startAll(lab, "adopted"));
      lab.killDaemon();
      lab.up();
      all.addAll(startAll(lab, "own"));
      endAndCheck(lab, all);
      assertThat(lab.processesOfJobs()).isEmpty();
      assertThat(lab.leftOutside()).isEmpty();
    }
  }

  private static List<Started> startAll(Lab lab, String round) {
    var all = new ArrayList<Started>();
    SORTS.forEach(
        (sort, line) -> {
          Path script = lab.work().resolve(sort + ".sh");
          lab.write(
              script,
              """
              #!/bin/sh
              %s
              touch started
              [ $1 = BY_ITSELF ] || sleep 1000
              until [ -e ../go ]; do sleep 0.05; done
              exit 7
              """
                  .formatted(line));
          for (Ending ending : Ending.values()) {
            all.add(start(lab, script, round + "-" + sort + "-" + ending, ending));
          }
        });
    // One whose time is up already need not be seen.
    for (Started job : all) {
      lab.await(job.name() + " to start", () -> Files.exists(job.folder().resolve("started")));
    }
    return all;
  }

  private static Started start(Lab lab, Path script, String name, Ending ending) {
    Path folder = lab.work().resolve(name);
    folder.toFile().mkdirs();
    var words = new ArrayList<>(List.of("--name", name, "--chdir", folder.toString()));
    if (ending == Ending.TIME_LIMIT) {
      words.addAll(List.of("--time", "3s"));
    }
    words.addAll(List.of(script.toString(), ending.toString()));
    return new Started(lab.submit(words.toArray(String[]::new)), name, ending, folder);
  }

  private static void endAndCheck(Lab lab, List<Started> all) {
    Instant told = Instant.now();
    lab.write(lab.work().resolve("go"), "");
    all.stream()
        .filter(job -> job.ending() == Ending.CANCELLED)
        .forEach(job -> lab.ok("gcancel", Long.toString(job.id())));
    var left = new ArrayList<>(all);
    lab.await(
        "the end of all jobs",
        () -> {
          var over = new TreeMap<Long, Map<String, Object>>();
          for (var job : lab.jobs()) {
            if (OVER.contains(String.valueOf(job.get("state")))) {
              over.put(((Number) job.get("job_id")).longValue(), job);
            }
          }
          for (Started job : List.copyOf(left)) {
            if (over.containsKey(job.id())) {
              checkEnd(job, over.get(job.id()), told);
              left.remove(job);
            }
          }
          return left.isEmpty();
        });
  }

  private static void checkEnd(Started job, Map<String, Object> row, Instant told) {
    assertThat(Lab.processesIn(job.folder())).as("left of %s", job.name()).isEmpty();
    Instant due =
        switch (job.ending()) {
          case BY_ITSELF -> {
            assertThat(row).as(job.name()).containsEntry("state", "FAILED");
            assertThat(String.valueOf(row.get("exit_code"))).as(job.name()).isEqualTo("7");
            yield told;
          }
          case CANCELLED -> {
            assertThat(row).as(job.name()).containsEntry("state", "CANCELLED");
            yield told;
          }
          case TIME_LIMIT -> {
            assertThat(row).as(job.name()).containsEntry("state", "TIMEOUT");
            yield time(row, "start_time").plusSeconds(3);
          }
        };
    assertThat(time(row, "end_time"))
        .as("end of %s", job.name())
        .isBefore(due.plus(GRACE).plus(LOADED_MACHINE));
  }

  private static Instant time(Map<String, Object> row, String name) {
    return OffsetDateTime.parse(String.valueOf(row.get(name))).toInstant();
  }
}
