package gflow.plan;

import gflow.plan.FreeResources.Bounds;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Keeps what is reserved: how far those may go whose turn comes after the reserved one's. */
final class ReservationGuard {
  final Reservation reservation;
  private int spareCpus;
  private long spareMemory;

  /** The spare amounts are what may still be given to those who stay beyond the reserved time. */
  ReservationGuard(Reservation reservation, int spareCpus, long spareMemory) {
    this.reservation = reservation;
    this.spareCpus = Math.max(0, spareCpus);
    this.spareMemory = Math.max(0, spareMemory);
  }

  Bounds boundsFor(Optional<Instant> end) {
    return goneInTime(end) ? Bounds.NONE : new Bounds(reservation.gpus(), spareCpus, spareMemory);
  }

  void started(Candidate c, Optional<Instant> end) {
    if (!goneInTime(end)) {
      spareCpus -= c.request().cpus();
      spareMemory -= c.request().memory();
    }
  }

  /** Whether nothing is left for anybody behind of what this candidate needs at least. */
  boolean exhausts(FreeResources pool, Candidate c) {
    boolean lendable = reservation.at().isPresent();
    return c.needsGpu()
        ? !pool.hasGpuRoom(lendable ? List.of() : reservation.gpus())
        : Math.min(pool.cpus(), lendable ? Integer.MAX_VALUE : spareCpus) == 0;
  }

  private boolean goneInTime(Optional<Instant> end) {
    return end.isPresent()
        && reservation.at().isPresent()
        && !end.get().isAfter(reservation.at().get());
  }
}
