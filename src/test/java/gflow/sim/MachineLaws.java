package gflow.sim;

import gflow.gpu.GpuDevice;
import gflow.job.Allocation.GpuGrant;
import gflow.job.AttemptId;
import gflow.job.GpuPart;
import gflow.job.Ranges;
import gflow.sim.SimProcess.Phase;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What no daemon may make the machine do, judged by the processes that are there. */
public final class MachineLaws {
  /** The grace time of the simulated daemons, less what a signal may take. */
  private static final Duration LEAST_GRACE = Duration.ofSeconds(9);

  private final List<GpuDevice> devices;
  private final Ranges cpus;
  private final long memory;
  private final Duration leastGrace;
  private final Set<AttemptId> ran = new TreeSet<>(SimMachine.ORDER);
  private final Set<AttemptId> undone = new TreeSet<>(SimMachine.ORDER);

  public MachineLaws(List<GpuDevice> devices, Ranges cpus, long memory) {
    this(devices, cpus, memory, LEAST_GRACE);
  }

  MachineLaws(List<GpuDevice> devices, Ranges cpus, long memory, Duration leastGrace) {
    this.devices = devices;
    this.cpus = cpus;
    this.memory = memory;
    this.leastGrace = leastGrace;
  }

  /** GPUs that exist have locks, and others may use them. */
  public boolean realGpus() {
    return devices.stream().anyMatch(d -> !d.simulated());
  }

  /** It is committed that this attempt never ran and never will. */
  public void undone(AttemptId id) {
    Violation.unless(!ran.contains(id), "attempt " + id + " ran, but is taken back");
    undone.add(id);
  }

  public boolean ran(AttemptId id) {
    return ran.contains(id);
  }

  void started(SimProcess p, Collection<SimProcess> alive) {
    Violation.unless(ran.add(p.id), "attempt " + p.id + " ran twice");
    Violation.unless(!undone.contains(p.id), "attempt " + p.id + " ran after it was taken back");
    List<SimProcess> running = alive.stream().filter(o -> o.phase != Phase.WRAPPER).toList();
    for (SimProcess other : running) {
      Violation.unless(
          other == p || !other.id.task().equals(p.id.task()),
          () -> other.id + " still runs while " + p.id + " starts");
    }
    devices.forEach(gpu -> gpu(gpu, running));
    cpus(running);
    long used = running.stream().mapToLong(o -> o.allocation.memory()).sum();
    Violation.unless(used <= memory, () -> "memory is over-committed by " + running);
  }

  /** It has begun to use GPUs beyond its own. */
  void uses(SimProcess p, Collection<SimProcess> alive) {
    List<SimProcess> running = alive.stream().filter(o -> o.phase != Phase.WRAPPER).toList();
    Violation.unless(running.contains(p), p + " uses GPUs and does not run");
    devices.forEach(gpu -> gpu(gpu, running));
  }

  /** Whoever is killed had its grace time, whatever became of the daemon in between. */
  void killed(SimProcess p, Instant at) {
    Violation.unless(
        !p.alive()
            || leastGrace.isZero()
            || p.warnedAt.map(w -> !w.plus(leastGrace).isAfter(at)).orElse(false),
        p + " is killed at " + at + ", SIGTERM came at " + p.warnedAt);
  }

  private static void gpu(GpuDevice gpu, List<SimProcess> running) {
    List<GpuGrant> grants =
        running.stream()
            .flatMap(p -> Stream.concat(p.allocation.gpus().stream(), p.lent.stream()))
            .filter(g -> g.gpu().equals(gpu.id()))
            .toList();
    boolean whole = grants.stream().anyMatch(GpuGrant::whole);
    long parts = grants.stream().mapToLong(grant -> grant.part().units()).sum();
    long bytes = grants.stream().mapToLong(GpuGrant::memory).sum();
    boolean fits = parts <= GpuPart.WHOLE.units() && (whole || bytes <= gpu.memory());
    Violation.unless(
        fits && (!whole || grants.size() == 1),
        () -> "GPU " + gpu.index() + " is given out twice: " + grants + " of " + running);
  }

  private void cpus(List<SimProcess> running) {
    Ranges used = Ranges.EMPTY;
    int count = 0;
    for (SimProcess p : running) {
      used = used.union(p.allocation.cpus());
      count += p.allocation.cpus().size();
    }
    Violation.unless(used.size() == count, () -> "a CPU is given out twice: " + running);
    Violation.unless(used.minus(cpus).isEmpty(), "a CPU that is not there was given out");
  }
}
