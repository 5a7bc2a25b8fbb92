package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * The heart of the suite: the daemon is killed again and again while jobs are submitted, run, are
 * cancelled and run out of time. Each job writes down its own start and end, so the truth does not
 * come from the daemon.
 */
class CrashIT {
  private static final long SEED = Long.getLong("crash.seed", 20261115);
  private static final int JOBS = 300;
  private static final int KILLS = 30;

  /** What a job should come to. */
  private enum Kind {
    EXITS,
    RUNS_LONGER,
    TIMES_OUT,
    IS_CANCELLED
  }

  private record Expected(Kind kind, int code) {}

  private final Map<Long, Expected> acknowledged = new ConcurrentSkipListMap<>();
  private final ConcurrentSkipListSet<Long> cancelled = new ConcurrentSkipListSet<>();

  @Test
  void thirty_kills_lose_nothing_and_run_nothing_twice() throws Exception {
    try (var lab = new Lab()) {
      lab.write(
          lab.work().resolve("job.sh"),
          """
          #!/bin/sh
          echo "$GFLOW_JOB_ID start $(date +%s%N) $CUDA_VISIBLE_DEVICES" >>"$1"
          sleep "$2"
          echo "$GFLOW_JOB_ID end $(date +%s%N)" >>"$1"
          exit "$3"
          """);
      lab.up();
      var random = new Random(SEED);
      Thread submitting = Thread.ofPlatform().start(() -> submitAll(lab, new Random(SEED + 1)));
      for (int kill = 0; kill < KILLS; kill++) {
        LockSupport.parkNanos(Duration.ofMillis(50 + random.nextInt(900)).toNanos());
        kill(lab);
        lab.up();
      }
      submitting.join();
      lab.awaitIdle();
      check(lab);
    }
  }

  /** By the pid in the door, because a daemon that is just starting does not answer yet. */
  private static void kill(Lab lab) {
    String door = Lab.read(lab.home().resolve("run/door/daemon"));
    if (!door.isEmpty()) {
      ProcessHandle.of(Long.parseLong(door.split(" ", -1)[0]))
          .ifPresent(
              daemon -> {
                daemon.destroyForcibly();
                lab.await("its death", () -> !daemon.isAlive());
              });
    }
  }

  private void submitAll(Lab lab, Random random) {
    for (int i = 0; i < JOBS; i++) {
      Kind kind = Kind.values()[Math.min(3, random.nextInt(8) / 2)];
      int code = random.nextInt(4);
      int gpus = random.nextInt(3);
      String seconds =
          switch (kind) {
            case EXITS -> "0.0" + random.nextInt(10);
            case RUNS_LONGER -> "1." + random.nextInt(10);
            case TIMES_OUT, IS_CANCELLED -> "600";
          };
      var words = new ArrayList<>(List.of("--gpus", Integer.toString(gpus)));
      if (kind == Kind.TIMES_OUT) {
        words.addAll(List.of("--time", "1s"));
      }
      words.addAll(List.of("job.sh", lab.work().resolve("ledger").toString(), seconds));
      words.add(Integer.toString(code));
      long id = lab.submit(words.toArray(String[]::new));
      assertThat(acknowledged.put(id, new Expected(kind, code))).as("id %s twice", id).isNull();
      if (kind == Kind.IS_CANCELLED) {
        lab.ok("gcancel", Long.toString(id));
        cancelled.add(id);
      }
    }
  }

  private void check(Lab lab) {
    assertThat(acknowledged).hasSize(JOBS);
    var jobs = new TreeMap<Long, Map<String, Object>>();
    lab.jobs().forEach(j -> jobs.put(((Number) j.get("job_id")).longValue(), j));
    assertThat(jobs.keySet())
        .as("every acknowledged job, and no other")
        .isEqualTo(acknowledged.keySet());
    acknowledged.forEach((id, expected) -> checkEnd(jobs.get(id), expected));
    var ledger = new Ledger(Lab.read(lab.work().resolve("ledger")));
    ledger.checkNoneRanTwice();
    ledger.checkGpus(jobs);
    assertThat(lab.home().resolve("jobs")).isEmptyDirectory();
  }

  private static void checkEnd(Map<String, Object> job, Expected expected) {
    String state = String.valueOf(job.get("state"));
    switch (expected.kind()) {
      case EXITS, RUNS_LONGER -> {
        assertThat(state).as("%s", job).isEqualTo(expected.code() == 0 ? "COMPLETED" : "FAILED");
        assertThat(((Number) job.get("exit_code")).intValue()).isEqualTo(expected.code());
      }
      case TIMES_OUT -> assertThat(state).as("%s", job).isEqualTo("TIMEOUT");
      case IS_CANCELLED -> assertThat(state).as("%s", job).isEqualTo("CANCELLED");
    }
  }

  /** What the jobs themselves wrote down. */
  private record Ledger(
      Map<Long, List<Long>> starts, Map<Long, Long> ends, Map<Long, String> gpus) {
    Ledger(String text) {
      this(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
      for (String line : text.lines().toList()) {
        String[] words = line.split(" ", -1);
        long id = Long.parseLong(words[0]);
        if (words[1].equals("start")) {
          starts.computeIfAbsent(id, k -> new ArrayList<>()).add(Long.parseLong(words[2]));
          gpus.put(id, words.length > 3 ? words[3] : "");
        } else {
          ends.put(id, Long.parseLong(words[2]));
        }
      }
    }

    void checkNoneRanTwice() {
      assertThat(starts).isNotEmpty();
      starts.forEach((id, times) -> assertThat(times).as("starts of job %s", id).hasSize(1));
    }

    /** No GPU was held by two jobs at once; a job that was killed held it until its end time. */
    void checkGpus(Map<Long, Map<String, Object>> jobs) {
      record Use(long id, long from, long to) {}
      var uses = new TreeMap<String, List<Use>>();
      starts.forEach(
          (id, times) -> {
            long end = ends.getOrDefault(id, nanos(String.valueOf(jobs.get(id).get("end_time"))));
            for (String gpu : gpus.get(id).split(",", -1)) {
              if (!gpu.isEmpty()) {
                uses.computeIfAbsent(gpu, k -> new ArrayList<>())
                    .add(new Use(id, times.getFirst(), end));
              }
            }
          });
      assertThat(uses).isNotEmpty();
      uses.forEach(
          (gpu, list) -> {
            list.sort(java.util.Comparator.comparingLong(Use::from));
            for (int i = 1; i < list.size(); i++) {
              assertThat(list.get(i).from())
                  .as("GPU %s: %s after %s", gpu, list.get(i), list.get(i - 1))
                  .isGreaterThanOrEqualTo(list.get(i - 1).to());
            }
          });
    }

    private static long nanos(String time) {
      var at = java.time.OffsetDateTime.parse(time).toInstant();
      return at.getEpochSecond() * 1_000_000_000 + at.getNano();
    }
  }
}
