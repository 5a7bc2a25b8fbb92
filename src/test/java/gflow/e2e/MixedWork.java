package gflow.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Arrays, jobs with steps, and maps that are lent GPUs. Each unit of work writes down when it began
 * and ended, on which GPUs: what must be there is known, and must be there once.
 */
final class MixedWork {
  private static final int TASKS = 8;
  private static final int STEPS = 4;
  private static final int ITEMS = 12;

  private final Lab lab;
  private final Random random;
  private final Set<String> units = new TreeSet<>();
  private final Set<Long> jobs = new TreeSet<>();
  private final List<Process> maps = new ArrayList<>();
  private int arrays;
  private int stepped;

  private record Use(String unit, long from, long to) {}

  MixedWork(Lab lab, long seed) {
    this.lab = lab;
    random = new Random(seed);
    lab.write(
        lab.work().resolve("unit"),
        """
        #!/bin/sh
        echo "$1 start $(date +%s%N) $CUDA_VISIBLE_DEVICES" >>units
        sleep "$2"
        echo "$1 end $(date +%s%N)" >>units
        """);
    lab.write(
        lab.work().resolve("steps.sh"),
        """
        #!/bin/bash
        for i in $(seq %d); do
          grun --exact -n1 --gres=gpu:1 ./unit "s$GFLOW_JOB_ID.$i" "$1" & pids="$pids $!"
        done
        for pid in $pids; do wait $pid || exit 9; done
        """
            .formatted(STEPS));
    lab.bash("chmod +x unit steps.sh");
  }

  /** One more piece of work. */
  void next() {
    String seconds = "0." + (1 + random.nextInt(9));
    switch (random.nextInt(3)) {
      case 0 -> array(seconds);
      case 1 -> steps(seconds);
      default -> map(seconds);
    }
  }

  private void array(String seconds) {
    String line = "./unit t$GFLOW_JOB_ID " + seconds;
    long id = lab.submit("--gpus", "1", "--array", "1-" + TASKS, "--wrap", line);
    for (int i = 1; i <= TASKS; i++) {
      jobs.add(id + i);
      units.add("t" + (id + i));
    }
    arrays++;
  }

  private void steps(String seconds) {
    long id = lab.submit("-n", "2", "--gpus", "2", "steps.sh", seconds);
    jobs.add(id);
    for (int i = 1; i <= STEPS; i++) {
      units.add("s" + id + "." + i);
    }
    stepped++;
  }

  private void map(String seconds) {
    String name = "m" + maps.size();
    try {
      maps.add(
          lab.start(
              "bash",
              "-c",
              ("exec gmap --quiet --name gmap --gpus 1-3 --results %s ./unit '%s.{}' %s"
                      + " ::: $(seq %d) >%s.said 2>&1")
                  .formatted(name, name, seconds, ITEMS, name)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (int i = 1; i <= ITEMS; i++) {
      units.add(name + "." + i);
    }
  }

  void awaitMaps() throws InterruptedException {
    for (int i = 0; i < maps.size(); i++) {
      assertThat(maps.get(i).waitFor(5, TimeUnit.MINUTES)).as("map %s ends", i).isTrue();
      assertThat(maps.get(i).exitValue())
          .as("map %s: %s", i, Lab.read(lab.work().resolve("m" + i + ".said")))
          .isZero();
    }
  }

  /** The numbers that were given to what is not a {@link Workload}'s. */
  Set<Long> jobs() {
    var all = new TreeSet<>(jobs);
    for (var job : lab.jobs()) {
      if (String.valueOf(job.get("name")).equals("gmap")) {
        all.add(((Number) job.get("job_id")).longValue());
      }
    }
    return all;
  }

  /** To be called when the queue is empty. */
  void check() {
    var starts = new TreeMap<String, List<String[]>>();
    var ends = new TreeMap<String, Long>();
    for (String line : Lab.read(lab.work().resolve("units")).lines().toList()) {
      String[] words = line.split(" ", -1);
      if (words[1].equals("start")) {
        starts.computeIfAbsent(words[0], unit -> new ArrayList<>()).add(words);
      } else {
        assertThat(ends.put(words[0], Long.parseLong(words[2]))).as(line).isNull();
      }
    }
    starts.forEach((unit, all) -> assertThat(all).as("starts of %s", unit).hasSize(1));
    assertThat(starts.keySet()).isEqualTo(units);
    assertThat(ends.keySet()).isEqualTo(units);
    checkGpus(starts, ends);
    for (var job : lab.jobs()) {
      if (jobs.contains(((Number) job.get("job_id")).longValue())) {
        assertThat(job.get("state")).as("%s", job).isEqualTo("COMPLETED");
      }
    }
  }

  private static void checkGpus(Map<String, List<String[]>> starts, Map<String, Long> ends) {
    var uses = new TreeMap<String, List<Use>>();
    starts.forEach(
        (unit, all) -> {
          String[] words = all.getFirst();
          uses.computeIfAbsent(words[3], gpu -> new ArrayList<>())
              .add(new Use(unit, Long.parseLong(words[2]), ends.get(unit)));
        });
    uses.forEach(
        (gpu, all) -> {
          assertThat(gpu).hasSize(1);
          all.sort(Comparator.comparingLong(Use::from));
          for (int i = 1; i < all.size(); i++) {
            assertThat(all.get(i).from())
                .as("GPU %s: %s after %s", gpu, all.get(i), all.get(i - 1))
                .isGreaterThanOrEqualTo(all.get(i - 1).to());
          }
        });
  }

  @Override
  public String toString() {
    return "%d tasks of arrays, %d jobs with %d steps each, %d maps with %d items each"
        .formatted(arrays * TASKS, stepped, STEPS, maps.size(), ITEMS);
  }
}
