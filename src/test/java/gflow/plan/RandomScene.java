package gflow.plan;

import static gflow.plan.Scene.G;
import static gflow.plan.Scene.NOW;

import gflow.job.Allocation.GpuGrant;
import gflow.job.GpuFilter;
import gflow.job.GpuPart;
import gflow.job.GpuRequest;
import gflow.job.JobId;
import gflow.job.Owner;
import gflow.job.Ranges;
import gflow.job.Request;
import gflow.job.TaskId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/** Machines, jobs and limits from a seed. */
final class RandomScene {
  private static final List<String> MODELS = List.of("NVIDIA A100", "NVIDIA H200", "sim");

  final Random random;

  RandomScene(long seed) {
    random = new Random(seed);
  }

  /** A machine on which something runs already and more waits. */
  Scene busy() {
    Scene scene = machine(true);
    int jobs = random.nextInt(12);
    for (int job = 1; job <= jobs; job++) {
      scene.book.put(candidate(job, owner()));
    }
    for (Plan.Start start : scene.plan().starts()) {
      Candidate c = scene.book.get(start.job()).orElseThrow();
      if (random.nextInt(4) > 0) {
        scene.holdings.add(
            new Holding(
                new TaskId(c.job(), scene.holdings.size(), 0),
                c.owner(),
                c.project(),
                start.allocation(),
                NOW.minusSeconds(random.nextInt(10_000)),
                c.timeLimit().map(limit -> NOW.plus(limit).minusSeconds(random.nextInt(500)))));
      }
    }
    for (int job = 1; job <= jobs; job++) {
      scene.book.remove(new JobId(job));
    }
    int waiting = random.nextInt(40);
    for (int job = 100; job < 100 + waiting; job++) {
      scene.book.put(candidate(job, owner()));
    }
    scene.limits = limits();
    lend(scene);
    return scene;
  }

  /** Some of the GPUs that nobody has are on loan to some who run. */
  private void lend(Scene scene) {
    for (Gpu gpu : scene.gpus) {
      boolean free =
          scene.holdings.stream()
              .flatMap(h -> h.gpus().stream())
              .noneMatch(grant -> grant.gpu().equals(gpu.id()));
      if (free && gpu.usable() && !scene.holdings.isEmpty() && random.nextInt(3) == 0) {
        int to = random.nextInt(scene.holdings.size());
        var lent = new ArrayList<>(scene.holdings.get(to).lent());
        lent.add(new GpuGrant(gpu.id(), gpu.index(), GpuPart.WHOLE, gpu.memory()));
        scene.holdings.set(to, scene.holdings.get(to).withLent(lent));
      }
    }
  }

  Scene machine(boolean withTrouble) {
    var scene = Scene.of(0);
    int gpus = random.nextInt(7);
    for (int i = 0; i < gpus; i++) {
      scene.gpus.add(
          new Gpu(
              Scene.id(9 - i),
              i,
              MODELS.get(random.nextInt(3)),
              (10 + random.nextInt(70)) * G + random.nextInt(1000),
              random.nextBoolean() ? Ranges.of(4 * (i % 2), 4 * (i % 2) + 3) : Ranges.EMPTY,
              withTrouble && random.nextInt(5) == 0 ? trouble() : new Availability.Usable(),
              withTrouble && random.nextInt(4) == 0 ? random.nextInt(12) * G : 0));
    }
    scene.cpus = Ranges.of(0, 3 + random.nextInt(5)).union(Ranges.of(10, 11));
    return scene;
  }

  Candidate candidate(int job, Owner owner) {
    return new Candidate(
        new JobId(job),
        owner,
        10 + random.nextInt(2),
        NOW.minusSeconds(random.nextInt(30)),
        request(),
        timeLimit(),
        random.nextInt(3) == 0 ? Optional.of("p" + random.nextInt(2)) : Optional.empty(),
        random.nextInt(4) == 0 ? 1 + random.nextInt(5) : 1);
  }

  /** Some that fill a GPU exactly, some that never do; with memory of its own now and then. */
  private GpuRequest part() {
    int of = List.of(2, 3, 7, 16, 36, 1000).get(random.nextInt(6));
    var part = GpuPart.of(1 + random.nextInt(of - 1), of);
    long memory = random.nextInt(4) == 0 ? (1L + random.nextInt(12)) << 30 : 0;
    return new GpuRequest.Shared(1, part, memory, random.nextBoolean());
  }

  private GpuRequest memory(long bytes) {
    int count = random.nextInt(3) == 0 ? 1 + random.nextInt(3) : 1;
    return new GpuRequest.Shared(count, GpuPart.NONE, bytes, random.nextBoolean());
  }

  Request request() {
    GpuRequest gpus =
        switch (random.nextInt(6)) {
          case 0 -> new GpuRequest.None();
          case 1 -> part();
          case 2 -> memory((1 + random.nextInt(40)) * G);
          default -> new GpuRequest.Whole(1 + random.nextInt(3));
        };
    boolean bound = random.nextInt(3) == 0;
    long memory = random.nextInt(4) == 0 ? (1 + random.nextInt(40)) * G : 0;
    return new Request(
        1 + random.nextInt(2), bound ? 1 + random.nextInt(3) : 0, memory, gpus, filter());
  }

  private Optional<Duration> timeLimit() {
    return random.nextInt(3) == 0
        ? Optional.empty()
        : Optional.of(Duration.ofSeconds(500 + 100L * random.nextInt(30)));
  }

  private GpuFilter filter() {
    return switch (random.nextInt(8)) {
      case 0 -> new GpuFilter(Optional.of("a100"), List.of(), List.of());
      case 1 -> new GpuFilter(Optional.empty(), List.of(0, 1, 2), List.of());
      case 2 -> new GpuFilter(Optional.empty(), List.of(), List.of(random.nextInt(4)));
      default -> GpuFilter.ANY;
    };
  }

  private UsageLimits limits() {
    var users = new TreeMap<String, UsageLimits.Cap>();
    var projects = new TreeMap<String, UsageLimits.Cap>();
    if (random.nextBoolean()) {
      users.put("u1", Caps.ofTasks(random.nextInt(6)));
      projects.put("p0", Caps.ofGpus(random.nextInt(4)));
      projects.put("p1", Caps.ofTasks(random.nextInt(6)));
    }
    return new UsageLimits(
        random.nextBoolean() ? UsageLimits.Cap.NONE : Caps.ofGpus(1 + random.nextInt(4)),
        users,
        projects);
  }

  private Owner owner() {
    int n = random.nextInt(3);
    return new Owner(1000 + n, 1000, "u" + n);
  }

  private Availability trouble() {
    return switch (random.nextInt(5)) {
      case 0 -> new Availability.NotAllowed();
      case 1 -> new Availability.Drained("why");
      case 2 -> new Availability.Outsider("who");
      case 3 -> new Availability.Locked("who");
      default -> new Availability.Lost("why");
    };
  }
}
