package gflow.daemon.core;

import gflow.gpu.Xid;
import gflow.job.GpuFault;
import gflow.job.GpuId;
import gflow.job.JobId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What was wrong with GPUs of late. Lost with the daemon, but for what it led to: drained GPUs stay
 * so.
 */
public final class GpuFaults {
  private static final int KEPT = 256;

  /** Programs notice a broken GPU late, and the driver tells of it late. */
  private static final Duration AROUND = Duration.ofSeconds(30);

  private final Deque<Fault> faults = new ArrayDeque<>();

  /** {@code xid} is none where the driver could not say more than that the GPU is gone. */
  private record Fault(
      GpuId gpu, int index, Optional<Xid> xid, SortedSet<JobId> jobs, String what, Instant at) {
    String words() {
      return xid.isPresent() ? what + " on GPU " + index : "GPU " + index + " lost";
    }

    boolean isOfPrograms() {
      return xid.map(Xid::verdict)
          .filter(verdict -> verdict == Xid.Verdict.NOTE || verdict == Xid.Verdict.SUSPECT)
          .isPresent();
    }

    boolean is(GpuId other, int number) {
      return gpu.equals(other) && xid.filter(x -> x.number() == number).isPresent();
    }
  }

  /** What follows from a fault: the reason to drain the GPU, or what people should know. */
  public record Judgement(Optional<String> drain, Optional<String> tell) {}

  /** {@code jobs}: those that had the GPU. */
  Judgement add(GpuId gpu, int index, Xid xid, Collection<JobId> jobs, Instant at) {
    List<Fault> same = faults.stream().filter(fault -> fault.is(gpu, xid.number())).toList();
    var others = new TreeSet<JobId>();
    same.forEach(fault -> others.addAll(fault.jobs()));
    others.removeAll(jobs);
    keep(new Fault(gpu, index, Optional.of(xid), new TreeSet<>(jobs), "XID " + xid.number(), at));
    boolean drain =
        switch (xid.verdict()) {
          case DRAIN -> true;
          case DRAIN_ON_REPEAT -> !same.isEmpty();
          case NOTE, SUSPECT, UNKNOWN -> false;
        };
    boolean tell =
        switch (xid.verdict()) {
          case SUSPECT -> !others.isEmpty() && !jobs.isEmpty();
          case UNKNOWN -> true;
          case NOTE, DRAIN, DRAIN_ON_REPEAT -> false;
        };
    String several = others.isEmpty() ? "" : ", in several jobs";
    return new Judgement(
        drain ? Optional.of(xid.toString()) : Optional.empty(),
        tell ? Optional.of("GPU " + index + ": " + xid + several) : Optional.empty());
  }

  /** The GPU cannot be used, as a look has shown. */
  void lost(GpuId gpu, int index, Instant at) {
    faults.removeIf(fault -> fault.gpu().equals(gpu) && fault.xid().isEmpty());
    keep(new Fault(gpu, index, Optional.empty(), new TreeSet<>(), "lost", at));
  }

  private void keep(Fault fault) {
    faults.addLast(fault);
    if (faults.size() > KEPT) {
      faults.removeFirst();
    }
  }

  /**
   * What was wrong with one of these GPUs at the end of that time, the last: {@code XID 79 on GPU
   * 2}. For who asks why a program failed that ran there.
   */
  public Optional<GpuFault> of(Collection<GpuId> gpus, Instant since, Instant until) {
    return faults.stream()
        .filter(fault -> gpus.contains(fault.gpu()))
        .filter(fault -> !fault.at().isBefore(since))
        .filter(fault -> !fault.at().isBefore(until.minus(AROUND)))
        .filter(fault -> !fault.at().isAfter(until.plus(AROUND)))
        .reduce((one, next) -> next)
        .map(fault -> new GpuFault(fault.words(), fault.isOfPrograms()));
  }
}
