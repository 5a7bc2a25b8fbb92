package gflow.plan;

import gflow.job.Allocation;
import gflow.job.JobId;
import gflow.job.Ranges;
import gflow.plan.Forecast.Running;
import gflow.plan.FreeResources.Bounds;
import gflow.plan.Plan.Start;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;

/** One walk through the book: starts what fits, reserves for the first that does not, backfills. */
final class PlanningPass {
  /** After so many lines that led to no start, the rest waits for the next plan. */
  static final int DEPTH = 1000;

  private final PlanningView view;
  private final FreeResources pool;
  private final UsageTally tally;
  private final List<Running> running = new ArrayList<>();
  private final List<Start> starts = new ArrayList<>();
  private final Map<JobId, Integer> started = new HashMap<>();
  private final PriorityQueue<OwnerTurns> owners;
  private Optional<ReservationGuard> guard = Optional.empty();
  private int failed;

  private enum Verdict {
    STARTED,
    LINE_IS_OUT,
    KIND_IS_OUT,
    OWNER_IS_OUT
  }

  PlanningPass(PlanningView view) {
    this(view, new FreeResources(view.machine()));
  }

  /** {@code empty}: all of the machine, its GPUs in the order in which they are given out. */
  PlanningPass(PlanningView view, FreeResources empty) {
    this.view = view;
    pool = empty;
    tally = new UsageTally(view);
    for (Holding h : view.holdings()) {
      pool.take(h.allocation());
      running.add(new Running(h.allocation(), h.startedAt(), h.end()));
      if (!h.lent().isEmpty()) {
        // Nobody waits for longer than a moment for a GPU on loan.
        var lent = new Allocation(h.lent(), Ranges.EMPTY, 0);
        pool.take(lent);
        running.add(new Running(lent, h.startedAt(), Optional.of(view.now())));
      }
    }
    owners = new PriorityQueue<>(Comparator.comparing(OwnerTurns::current, turn()));
    view.book().owners().forEach(lines -> owners.add(new OwnerTurns(lines)));
    walk();
  }

  Plan plan() {
    return new Plan(starts, guard.map(g -> g.reservation));
  }

  /** How many candidates were looked at: the measure of what a plan costs. */
  int looked() {
    return starts.size() + failed;
  }

  int started(JobId job) {
    return started.getOrDefault(job, 0);
  }

  FreeResources pool() {
    return pool;
  }

  UsageTally tally() {
    return tally;
  }

  Optional<Reason> limit(Candidate c) {
    return tally.limit(c);
  }

  /** What it would get in its turn, with what is reserved out of reach. */
  Optional<Allocation> fit(Candidate c) {
    return pool.fit(c.request(), bounds(c));
  }

  /** The owners' counts change only for the one that was taken out, so the queue stays in order. */
  private Comparator<Candidate> turn() {
    return Comparator.comparingInt(Candidate::priority)
        .reversed()
        .thenComparing(c -> tally.gpusOf(c.owner()))
        .thenComparing(Candidate.TURN);
  }

  private void walk() {
    while (!owners.isEmpty() && failed < DEPTH) {
      OwnerTurns owner = owners.remove();
      switch (look(owner.current())) {
        case STARTED -> owner.advance();
        case LINE_IS_OUT -> owner.dropLine();
        case KIND_IS_OUT -> owner.dropKind();
        case OWNER_IS_OUT -> {
          continue;
        }
      }
      if (!owner.isOver()) {
        owners.add(owner);
      }
    }
  }

  /** Nothing grows during a walk: who does not fit now does not fit later, nor does its like. */
  private Verdict look(Candidate c) {
    if (guard.isPresent() && guard.get().exhausts(pool, c)) {
      failed++;
      return Verdict.KIND_IS_OUT;
    }
    Optional<Reason> limit = tally.limit(c);
    if (limit.isPresent()) {
      failed++;
      return limit.get() instanceof Reason.UserTaskLimit
          ? Verdict.OWNER_IS_OUT
          : Verdict.LINE_IS_OUT;
    }
    Optional<Allocation> given = fit(c);
    if (given.isPresent()) {
      start(c, given.get());
      return Verdict.STARTED;
    }
    failed++;
    if (guard.isEmpty() && Feasibility.canRunInService(view.machine(), c.request())) {
      guard = Optional.of(new Forecast(pool, running).reserve(c));
    }
    return Verdict.LINE_IS_OUT;
  }

  private void start(Candidate c, Allocation given) {
    Optional<Instant> end = c.endIfStarted(view.now());
    pool.take(given);
    tally.add(c.owner(), c.project(), given.gpus());
    tally.listen(c.job(), c.ports());
    running.add(new Running(given, view.now(), end));
    starts.add(new Start(c.job(), given));
    started.merge(c.job(), 1, Integer::sum);
    guard.ifPresent(g -> g.started(c, end));
  }

  private Bounds bounds(Candidate c) {
    return guard.map(g -> g.boundsFor(c.endIfStarted(view.now()))).orElse(Bounds.NONE);
  }
}
