package gflow.plan;

import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.GpuId;
import gflow.job.GpuRequest;
import gflow.plan.FreeResources.Bounds;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * When and where a job can run that cannot now. It counts on the time limits of what runs; what has
 * none is endless, and an outsider too.
 */
final class Forecast {
  private final FreeResources now;
  private final FreeResources later;
  private final List<Running> running;

  /** Something that holds resources, since when, and until when at the latest. */
  record Running(Allocation allocation, Instant since, Optional<Instant> end) {}

  /** When a GPU is expected to be free: now, at a known time, or after the oldest endless job. */
  private record Expected(Kind kind, Instant at) {
    enum Kind {
      FREE,
      ENDING,
      ENDLESS,
      OUTSIDER
    }

    static final Expected NOW = new Expected(Kind.FREE, Instant.MIN);
    static final Comparator<Expected> ORDER =
        Comparator.comparing(Expected::kind).thenComparing(Expected::at);

    Expected later(Expected other) {
      return ORDER.compare(this, other) >= 0 ? this : other;
    }
  }

  Forecast(FreeResources now, List<Running> running) {
    this.now = now;
    this.later = now.copy();
    this.running = running;
  }

  /** The reservation of a candidate that does not fit now, with the guard that keeps it. */
  ReservationGuard reserve(Candidate c) {
    Optional<Instant> at = advanceUntilFits(c);
    var kept = new Reservation(c.job(), gpus(c), c.request().cpus(), c.request().memory(), at);
    FreeResources then = at.isPresent() ? later : now;
    return new ReservationGuard(kept, then.cpus() - kept.cpus(), then.memory() - kept.memory());
  }

  /** Lets what ends end, one after the other, until it fits or the rest is endless. */
  private Optional<Instant> advanceUntilFits(Candidate c) {
    List<Running> ending =
        running.stream()
            .filter(r -> r.end().isPresent())
            .sorted(Comparator.comparing(r -> r.end().orElseThrow()))
            .toList();
    Optional<Instant> at = Optional.empty();
    for (Running r : ending) {
      if (at.isPresent() && !at.equals(r.end())) {
        return at;
      }
      later.release(r.allocation());
      if (at.isEmpty() && later.fit(c.request(), Bounds.NONE).isPresent()) {
        at = r.end();
      }
    }
    return at;
  }

  private List<GpuId> gpus(Candidate c) {
    return switch (c.request().gpus()) {
      case GpuRequest.None() -> List.of();
      case GpuRequest.Whole(int count) -> soonestFree(c, count);
      case GpuRequest.Shared shared -> roomiest(c, shared);
    };
  }

  /** Free ones first: what was freed for this job stays with it when the plan is made again. */
  private List<GpuId> soonestFree(Candidate c, int count) {
    Map<GpuId, Expected> expected = expected();
    return inService(c).stream()
        .sorted(Comparator.comparing(budget -> expected(budget, expected), Expected.ORDER))
        .limit(count)
        .map(budget -> budget.gpu.id())
        .toList();
  }

  /** The GPUs that fit when known ends have passed, else those that lack least. */
  private List<GpuId> roomiest(Candidate c, GpuRequest.Shared wanted) {
    return later.choose(c.request(), List.of()).orElseGet(() -> leastLacking(c, wanted)).stream()
        .map(budget -> budget.gpu.id())
        .toList();
  }

  /** Of the GPUs that are large enough at all. */
  private List<GpuBudget> leastLacking(Candidate c, GpuRequest.Shared wanted) {
    return inService(c).stream()
        .filter(budget -> budget.isLargeEnough(wanted))
        // One that nobody may share is not kept for who would share it.
        .filter(budget -> !(budget.gpu.availability() instanceof Availability.Exclusive))
        .sorted(
            Comparator.<GpuBudget, Boolean>comparing(budget -> !budget.gpu.usable())
                .thenComparing(FreeResources.order(wanted.spread(true))))
        .limit(wanted.count())
        .toList();
  }

  private List<GpuBudget> inService(Candidate c) {
    return later.passing(c.request().filter()).stream()
        .filter(budget -> budget.gpu.availability().returns())
        .toList();
  }

  private static Expected expected(GpuBudget budget, Map<GpuId, Expected> expected) {
    return budget.gpu.usable()
        ? expected.getOrDefault(budget.gpu.id(), Expected.NOW)
        : new Expected(Expected.Kind.OUTSIDER, Instant.MIN);
  }

  private Map<GpuId, Expected> expected() {
    var map = new TreeMap<GpuId, Expected>();
    for (Running r : running) {
      Expected end =
          r.end()
              .map(at -> new Expected(Expected.Kind.ENDING, at))
              .orElse(new Expected(Expected.Kind.ENDLESS, r.since()));
      for (GpuGrant grant : r.allocation().gpus()) {
        map.merge(grant.gpu(), end, Expected::later);
      }
    }
    return map;
  }
}
