package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the jobs of a {@link Workload} wrote down themselves, so the truth is not the daemon's. */
record JobLedger(Map<Long, List<Long>> starts, Map<Long, Long> ends, Map<Long, String> gpus) {
  private record Use(long id, long from, long to) {}

  static JobLedger parse(String text) {
    var ledger = new JobLedger(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
    for (String line : text.lines().toList()) {
      String[] words = line.split(" ", -1);
      long id = Long.parseLong(words[0]);
      if (words[1].equals("start")) {
        ledger.starts.computeIfAbsent(id, k -> new ArrayList<>()).add(Long.parseLong(words[2]));
        ledger.gpus.put(id, words.length > 3 ? words[3] : "");
      } else {
        ledger.ends.put(id, Long.parseLong(words[2]));
      }
    }
    return ledger;
  }

  void checkNoneRanTwice() {
    assertThat(starts).isNotEmpty();
    starts.forEach((id, times) -> assertThat(times).as("starts of job %s", id).hasSize(1));
  }

  /** No GPU was held by two jobs at once; a job that was killed held it until its end time. */
  void checkGpus(Map<Long, Map<String, Object>> jobs) {
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
    uses.forEach(JobLedger::checkApart);
  }

  private static void checkApart(String gpu, List<Use> uses) {
    uses.sort(Comparator.comparingLong(Use::from));
    for (int i = 1; i < uses.size(); i++) {
      assertThat(uses.get(i).from())
          .as("GPU %s: %s after %s", gpu, uses.get(i), uses.get(i - 1))
          .isGreaterThanOrEqualTo(uses.get(i - 1).to());
    }
  }

  private static long nanos(String time) {
    var at = OffsetDateTime.parse(time).toInstant();
    return at.getEpochSecond() * 1_000_000_000 + at.getNano();
  }
}
