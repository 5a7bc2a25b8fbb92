package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;

/**
 * Short and long jobs that exit, are cancelled and run out of time, for tests that treat the daemon
 * badly; and the check that each came to what it should, once.
 */
final class Workload {
  /** What a job should come to. */
  private enum Kind {
    EXITS,
    RUNS_LONGER,
    TIMES_OUT,
    IS_CANCELLED
  }

  private record Expected(Kind kind, int code) {}

  private final Lab lab;
  private final Random random;
  private final Map<Long, Expected> acknowledged = new ConcurrentSkipListMap<>();

  Workload(Lab lab, long seed) {
    this.lab = lab;
    random = new Random(seed);
    lab.write(
        lab.work().resolve("job.sh"),
        """
        #!/bin/sh
        echo "$GFLOW_JOB_ID start $(date +%s%N) $CUDA_VISIBLE_DEVICES" >>"$1"
        sleep "$2"
        echo "$GFLOW_JOB_ID end $(date +%s%N)" >>"$1"
        exit "$3"
        """);
  }

  /** One more job; returns when it is acknowledged, and cancelled if it is one of those. */
  void submit() {
    Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
    int code = random.nextInt(4);
    var words = new ArrayList<>(List.of("--gpus", Integer.toString(random.nextInt(3))));
    String seconds =
        switch (kind) {
          case EXITS -> "0.0" + random.nextInt(10);
          case RUNS_LONGER -> "1." + random.nextInt(10);
          case TIMES_OUT, IS_CANCELLED -> "600";
        };
    if (kind == Kind.TIMES_OUT) {
      words.addAll(List.of("--time", "1s"));
    }
    words.addAll(List.of("job.sh", ledger().toString(), seconds, Integer.toString(code)));
    long id = lab.submit(words.toArray(String[]::new));
    assertThat(acknowledged.put(id, new Expected(kind, code))).as("id %s twice", id).isNull();
    if (kind == Kind.IS_CANCELLED) {
      // Nobody but a submission starts a daemon; so while there is none, it is said again.
      lab.await("gcancel " + id, () -> lab.run("gcancel", Long.toString(id)).code() == 0);
    }
  }

  private Path ledger() {
    return lab.work().resolve("ledger");
  }

  int size() {
    return acknowledged.size();
  }

  /** To be called when the queue is empty. {@code others}: jobs that somebody else submitted. */
  void check(Set<Long> others) {
    var jobs = new TreeMap<Long, Map<String, Object>>();
    lab.jobs().forEach(j -> jobs.put(((Number) j.get("job_id")).longValue(), j));
    jobs.keySet().removeAll(others);
    assertThat(jobs.keySet())
        .as("every acknowledged job, and no other")
        .isEqualTo(acknowledged.keySet());
    var ledger = JobLedger.parse(Lab.read(ledger()));
    acknowledged.forEach(
        (id, expected) -> {
          checkEnd(jobs.get(id), expected);
          // The others may have met their end before their first line, on a slow machine.
          if (expected.kind() == Kind.EXITS || expected.kind() == Kind.RUNS_LONGER) {
            assertThat(ledger.starts()).as("job %s ran", id).containsKey(id);
          }
        });
    ledger.checkNoneRanTwice();
    ledger.checkGpus(jobs);
    lab.await("jobs/ to be empty", () -> names(lab.home().resolve("jobs")).isEmpty());
    assertThat(lab.leftOutside()).as("cgroups and temporary folders").isEmpty();
    assertThat(lab.processesOfJobs().stream().map(pid -> pid + " " + Lab.commandLine(pid)))
        .as("processes of jobs that are over")
        .isEmpty();
  }

  private static List<String> names(Path folder) {
    String[] names = folder.toFile().list();
    // Folders that are kept for the next job are no job's.
    return names == null
        ? List.of()
        : Stream.of(names).filter(name -> !name.startsWith("spare-")).toList();
  }

  private static void checkEnd(Map<String, Object> job, Expected expected) {
    String state = String.valueOf(job.get("state"));
    switch (expected.kind()) {
      case EXITS, RUNS_LONGER -> {
        assertThat(state).as("%s", job).isEqualTo(expected.code() == 0 ? "COMPLETED" : "FAILED");
        assertThat(((Number) job.get("exit_code")).intValue())
            .as("%s", job)
            .isEqualTo(expected.code());
      }
      case TIMES_OUT -> assertThat(state).as("%s", job).isEqualTo("TIMEOUT");
      case IS_CANCELLED -> assertThat(state).as("%s", job).isEqualTo("CANCELLED");
    }
  }
}
