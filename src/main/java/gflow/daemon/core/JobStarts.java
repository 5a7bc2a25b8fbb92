package gflow.daemon.core;

import gflow.job.Allocation;
import gflow.job.Job;
import gflow.job.TaskEvent;
import gflow.job.Where;
import gflow.plan.Plan;
import gflow.plan.Planner;
import java.time.Instant;
import java.util.List;

/** What of the queue starts in this turn, and what is lent of the GPUs that are left. */
record JobStarts(Core core, Routing routing) {
  /** False if the GPUs must be looked at first. */
  boolean plan(Instant now) {
    boolean started = start(now);
    return lend(now) && started;
  }

  private boolean startsNothing() {
    return core.diskLow() || core.inventory().controls().paused().isPresent();
  }

  private boolean lend(Instant now) {
    if (startsNothing() || core.loans().isEmpty()) {
      return true;
    }
    boolean fresh = core.inventory().fresh(now);
    boolean lent = core.loans().lend(core.view(now), core::home, fresh, now);
    return lent && (fresh || !(core.inventory().mayChange() && core.loans().wantsMore()));
  }

  /**
   * Starts what may start; false if the GPUs must be looked at: before one is given out, or because
   * one that was not free may be so by now.
   */
  private boolean start(Instant now) {
    if (startsNothing() || core.ledger().setbacks().paused(now) || core.ledger().book().isEmpty()) {
      return true;
    }
    boolean fresh = core.inventory().fresh(now);
    List<Plan.Start> starts = Planner.plan(core.view(now)).starts();
    // What has started may change what is kept for the first in turn, and so make room for more.
    while (start(starts, fresh, now)) {
      starts = Planner.plan(core.view(now)).starts();
    }
    boolean somebodyWaits = !core.ledger().book().isEmpty();
    return fresh || (starts.isEmpty() && !(core.inventory().mayChange() && somebodyWaits));
  }

  /** Those on GPUs only if it is known who else is there; false if none was started. */
  private boolean start(List<Plan.Start> starts, boolean gpusToo, Instant now) {
    List<Plan.Start> possible =
        starts.stream().filter(s -> gpusToo || s.allocation().gpus().isEmpty()).toList();
    for (Plan.Start start : possible) {
      Job job = core.ledger().job(start.job()).orElseThrow();
      Where where = routing.where(job.spec(), core.inventory().boot());
      Allocation given = where instanceof Where.Here ? start.allocation() : Allocation.NONE;
      core.step(job.task(job.turn(now).first()), new TaskEvent.Start(given, where, now), now);
    }
    return !possible.isEmpty();
  }
}
