package gflow.sim;

import gflow.gpu.GpuDevice;
import gflow.job.Dependencies;
import gflow.job.Dependencies.Dependency;
import gflow.job.Dependencies.Kind;
import gflow.job.EarlySignal;
import gflow.job.GpuFilter;
import gflow.job.GpuId;
import gflow.job.GpuPart;
import gflow.job.GpuRequest;
import gflow.job.JobId;
import gflow.job.JobRef;
import gflow.job.JobSpec;
import gflow.job.JobSpec.Tasks;
import gflow.job.JobSpec.Terms;
import gflow.job.Owner;
import gflow.job.Program;
import gflow.job.Ranges;
import gflow.job.Request;
import gflow.job.RequestedOptions;
import gflow.job.RetryOn;
import gflow.job.SampleSpec;
import gflow.job.Sweep;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Machines and jobs as a seed makes them; some ask for more than there is. */
public final class RandomJobs {
  private static final long GIB = 1L << 30;
  private static final List<Owner> OWNERS =
      List.of(
          new Owner(1000, 100, "anna"), new Owner(1001, 100, "ben"), new Owner(1002, 100, "cleo"));
  private static final List<String> NAMES = List.of("train", "eval", "prep", "plot");

  private final Random random;
  private final List<GpuDevice> devices;
  private final int cpus;
  private final long memory;

  public RandomJobs(Random random) {
    this.random = random;
    var gpus = new ArrayList<GpuDevice>();
    int count = random.nextInt(9);
    boolean simulated = random.nextBoolean();
    for (int i = 0; i < count; i++) {
      long size = (random.nextInt(3) == 0 ? 80 : 24) * GIB;
      gpus.add(new GpuDevice(new GpuId("GPU-" + i), i, "Sim", size, Ranges.EMPTY, simulated));
    }
    devices = List.copyOf(gpus);
    cpus = 2 + random.nextInt(15);
    memory = (8 + random.nextInt(120)) * GIB;
  }

  public List<GpuDevice> devices() {
    return devices;
  }

  public Ranges cpus() {
    return Ranges.firstN(cpus);
  }

  public long memory() {
    return memory;
  }

  public static List<Owner> owners() {
    return OWNERS;
  }

  public boolean oneOf(int count) {
    return random.nextInt(count) == 0;
  }

  public JobSpec spec(List<JobId> known, Instant now) {
    var labels = new TreeMap<String, String>();
    if (oneOf(3)) {
      labels.put(JobSpec.PROJECT, oneOf(2) ? "alpha" : "beta");
    }
    Optional<EarlySignal> signal =
        oneOf(3)
            ? Optional.of(new EarlySignal(10, Duration.ofSeconds(random.nextInt(10)), false))
            : Optional.empty();
    return SampleSpec.of(
            OWNERS.get(random.nextInt(OWNERS.size())),
            NAMES.get(random.nextInt(NAMES.size())),
            new Program.Argv(List.of("true")))
        .withRequest(request())
        .withTerms(terms(known, now))
        .withTasks(tasks())
        .withAsked(new RequestedOptions(new TreeMap<>(), signal, Optional.empty()))
        .withLabels(labels);
  }

  private Request request() {
    int ntasks = oneOf(6) ? 1 + random.nextInt(3) : 1;
    int perTask = oneOf(3) ? 1 + random.nextInt(cpus) : 0;
    long bytes = oneOf(3) ? 1 + random.nextLong(memory) : 0;
    var request = new Request(ntasks, perTask, bytes, gpus(), filter());
    boolean elastic = request.gpus() instanceof GpuRequest.Whole && oneOf(2);
    return elastic ? request.upTo(request.gpus().count() + 1 + random.nextInt(8)) : request;
  }

  private GpuRequest gpus() {
    if (devices.isEmpty() && !oneOf(20)) {
      return new GpuRequest.None();
    }
    return switch (random.nextInt(6)) {
      case 0, 1 -> new GpuRequest.Whole(1 + random.nextInt(devices.size() + 1));
      case 2 -> part();
      case 3 -> memory(1 + random.nextLong(40 * GIB));
      default -> new GpuRequest.None();
    };
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

  private GpuFilter filter() {
    return devices.size() > 1 && oneOf(8)
        ? new GpuFilter(Optional.empty(), List.of(), List.of(random.nextInt(devices.size())))
        : GpuFilter.ANY;
  }

  private Terms terms(List<JobId> known, Instant now) {
    return new Terms(
        oneOf(2) ? 10 : random.nextInt(256),
        oneOf(2) ? Optional.of(Duration.ofMillis(1 + random.nextInt(40_000))) : Optional.empty(),
        oneOf(8) ? Optional.of(now.plusMillis(random.nextInt(30_000))) : Optional.empty(),
        oneOf(12),
        oneOf(3) ? dependencies(known) : Dependencies.NONE,
        oneOf(3) ? random.nextInt(3) : 0,
        oneOf(2) ? RetryOn.requeued(words()) : words());
  }

  private List<RetryOn> words() {
    return oneOf(2)
        ? Terms.USUAL
        : Stream.of(RetryOn.FAIL, RetryOn.OOM, RetryOn.TIMEOUT).filter(_ -> oneOf(2)).toList();
  }

  private Dependencies dependencies(List<JobId> known) {
    var list = new ArrayList<Dependency>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      Kind kind = List.of(Kind.values()).get(random.nextInt(Kind.values().length));
      if (kind == Kind.SINGLETON) {
        list.add(new Dependency(kind, Optional.empty(), Duration.ZERO));
      } else if (!known.isEmpty()) {
        JobId near = known.get(random.nextInt(Math.min(10, known.size())));
        JobRef parent = new JobRef.ById(near);
        Duration delay =
            kind == Kind.AFTER ? Duration.ofMillis(random.nextInt(20_000)) : Duration.ZERO;
        list.add(new Dependency(kind, Optional.of(parent), delay));
      }
    }
    return new Dependencies(oneOf(3), list, !oneOf(4));
  }

  private Tasks tasks() {
    if (!oneOf(4)) {
      return Tasks.ONE;
    }
    int count = 1 + random.nextInt(8);
    int first = random.nextInt(5);
    return new Tasks(
        Optional.of(Ranges.of(first, first + count - 1)), Sweep.NONE, oneOf(2) ? 0 : count / 2);
  }
}
