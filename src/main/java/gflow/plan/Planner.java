package gflow.plan;

import gflow.job.GpuPart;
import gflow.job.GpuRequest;
import gflow.job.Request;
import gflow.job.RequestedOptions;
import gflow.plan.FreeResources.Bounds;
import gflow.plan.Reason.Blocked;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides what starts now. Turns go by priority, then to who holds the fewest GPUs, then by age and
 * id. The first in turn that has to wait gets a reservation; those behind may pass it only where
 * they do not delay it.
 */
public final class Planner {
  private Planner() {}

  public static Plan plan(PlanningView view) {
    return new PlanningPass(view).plan();
  }

  /** Why this candidate does not start now. For many of them, {@link #explain} once. */
  public static Reason why(PlanningView view, Candidate c) {
    return explain(view).why(c);
  }

  /** Makes the plan once, to explain any number of candidates by it until the book changes. */
  public static Explainer explain(PlanningView view) {
    return new Explainer(view);
  }

  /**
   * Empty if the request could run on this machine when empty, with all its GPUs in service; else
   * the reason to refuse it.
   */
  public static Optional<Reason> never(Machine machine, Request request) {
    return Feasibility.judge(machine, request, OptionNames.USUAL);
  }

  /** The same, in the words in which the user asked. */
  public static Optional<Reason> never(Machine machine, Request request, RequestedOptions asked) {
    return Feasibility.judge(machine, request, new OptionNames(asked));
  }

  /** The reasons of one plan. */
  public static final class Explainer {
    private final PlanningView view;
    private final PlanningPass pass;

    /** Most that wait ask for the same. */
    private final Map<Request, Optional<Reason>> lacks = new HashMap<>();

    private @Nullable Candidate last;
    private Optional<Reason> stopped = Optional.empty();

    private Explainer(PlanningView view) {
      this.view = view;
      this.pass = new PlanningPass(view);
    }

    public Plan plan() {
      return pass.plan();
    }

    /**
     * Why it waits, or for an array why the rest of it does, after what the plan starts. One that
     * is not in the book is judged as if it came last.
     */
    public Reason why(Candidate c) {
      if (pass.started(c.job()) >= c.tasks()) {
        return new Reason.None();
      }
      Optional<Reason> stop = stops(c);
      return stop.isPresent() ? stop.get() : behindOthers(c);
    }

    /** What stops it whoever else waits; the same for those that were submitted together. */
    private Optional<Reason> stops(Candidate c) {
      if (last == null || !c.isTwinOf(last)) {
        stopped = pass.limit(c).or(() -> lacks.computeIfAbsent(c.request(), this::lack));
        last = c;
      }
      return stopped;
    }

    private Reason behindOthers(Candidate c) {
      boolean first = view.book().get(c.job()).isEmpty() && pass.fit(c).isPresent();
      return first ? new Reason.None() : new Reason.Priority();
    }

    private Optional<Reason> lack(Request request) {
      return never(view.machine(), request).or(() -> missing(request));
    }

    private Optional<Reason> missing(Request request) {
      FreeResources pool = pass.pool();
      if (pool.fit(request, Bounds.NONE).isPresent()) {
        return Optional.empty();
      }
      if (pool.choose(request, List.of()).isEmpty()) {
        return Optional.of(missingGpus(request));
      }
      return Optional.of(
          request.cpus() > pool.cpus()
              ? new Reason.Cpus(request.cpus(), pool.cpus())
              : new Reason.Memory(request.memory(), pool.memory()));
    }

    private Reason missingGpus(Request request) {
      List<GpuBudget> usable =
          pass.pool().passing(request.filter()).stream()
              .filter(budget -> budget.gpu.usableFor(request.gpus()))
              .toList();
      List<Blocked> blocked = blocked(request);
      return switch (request.gpus()) {
        case GpuRequest.None() -> throw new IllegalStateException("no GPU was asked for");
        case GpuRequest.Whole(int count) ->
            new Reason.Gpus(
                count,
                (int) usable.stream().filter(GpuBudget::isFree).count(),
                blocked,
                (int) usable.stream().filter(this::isLent).count());
        case GpuRequest.Shared shared -> missing(shared, usable, blocked);
      };
    }

    private static Reason missing(
        GpuRequest.Shared shared, List<GpuBudget> usable, List<Blocked> blocked) {
      Optional<GpuBudget> inUse =
          usable.stream().filter(budget -> budget.isInUseBeyond(shared)).findFirst();
      if (inUse.isPresent()) {
        Gpu gpu = inUse.get().gpu;
        long need = shared.memoryOf(gpu.memory());
        long free = inUse.get().memoryLeft();
        return new Reason.GpuMemoryInUse(gpu.index(), free, gpu.memory(), need, blocked);
      }
      GpuPart part =
          usable.stream()
              .map(GpuBudget::partLeft)
              .max(Comparator.naturalOrder())
              .orElse(GpuPart.NONE);
      if (shared.memory() == 0 || part.compareTo(shared.part()) < 0) {
        return new Reason.GpuShare(shared.part(), part, blocked);
      }
      long room =
          shared.count() > 1
              ? usable.stream().filter(budget -> budget.fits(shared)).count()
              : usable.stream().mapToLong(GpuBudget::memoryLeft).max().orElse(0);
      return new Reason.GpuMemory(shared.count(), shared.memory(), room, blocked);
    }

    private boolean isLent(GpuBudget budget) {
      return view.holdings().stream()
          .flatMap(holding -> holding.lent().stream())
          .anyMatch(grant -> grant.gpu().equals(budget.gpu.id()));
    }

    /**
     * GPUs that are lost or that an outsider uses are always named; those that an operator drained
     * or does not allow only if the job cannot run without them.
     */
    private List<Blocked> blocked(Request request) {
      boolean onlyUnwanted = Feasibility.canRunInService(view.machine(), request);
      return view.machine().gpus().stream()
          .filter(gpu -> !gpu.usableFor(request.gpus()) && gpu.passes(request.filter()))
          .filter(gpu -> !onlyUnwanted || gpu.availability().unwanted())
          .map(gpu -> new Blocked(gpu.index(), gpu.availability()))
          .toList();
    }
  }
}
