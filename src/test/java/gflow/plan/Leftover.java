package gflow.plan;

import static java.util.stream.Collectors.toCollection;

import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.GpuFilter;
import gflow.job.GpuId;
import gflow.job.GpuPart;
import gflow.job.GpuRequest;
import gflow.job.Ranges;
import gflow.job.Request;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a machine has left, added up anew from everything that is held each time it is asked. Slow,
 * and by no arithmetic of the planner's, which it is there to judge.
 */
record Leftover(Machine machine, List<Allocation> held) {
  /** What a request must leave alone, for it is somebody else's. */
  record Kept(Collection<GpuId> gpus, int cpus, long memory) {
    static final Kept NOTHING = new Kept(List.of(), 0, 0);
  }

  TreeSet<Integer> cpus() {
    TreeSet<Integer> free = machine.cpus().stream().boxed().collect(toCollection(TreeSet::new));
    held.forEach(h -> h.cpus().stream().forEach(free::remove));
    return free;
  }

  long memory() {
    return machine.memory() - held.stream().mapToLong(Allocation::memory).sum();
  }

  boolean fits(Request request, Kept kept) {
    return cut(request, kept).isPresent();
  }

  /** What the request should get: which GPUs and CPUs is part of the policy. */
  Optional<Allocation> cut(Request request, Kept kept) {
    List<Gpu> gpus = fitting(request);
    gpus.removeIf(gpu -> kept.gpus().contains(gpu.id()));
    boolean enough =
        gpus.size() >= request.gpus().count()
            && (request.cpus() == 0 || request.cpus() + kept.cpus() <= cpus().size())
            && (request.memory() == 0 || request.memory() + kept.memory() <= memory());
    return enough ? Optional.of(cut(request, chosen(request.gpus(), gpus))) : Optional.empty();
  }

  private Allocation cut(Request request, List<Gpu> gpus) {
    List<GpuGrant> grants =
        gpus.stream()
            .map(
                gpu ->
                    switch (request.gpus()) {
                      case GpuRequest.None() -> throw new AssertionError("a GPU nobody wanted");
                      case GpuRequest.Whole _ -> grant(gpu, GpuPart.WHOLE, gpu.memory());
                      case GpuRequest.Shared shared ->
                          grant(gpu, shared.part(), promised(gpu, shared));
                    })
            .toList();
    return new Allocation(grants, nearest(request.cpus(), gpus), request.memory());
  }

  private static GpuGrant grant(Gpu gpu, GpuPart part, long memory) {
    return new GpuGrant(gpu.id(), gpu.index(), part, memory);
  }

  /** What was asked for, else the same part of the memory as of the GPU. */
  static long promised(Gpu gpu, GpuRequest.Shared wanted) {
    return wanted.memory() > 0
        ? wanted.memory()
        : quotient(gpu.memory(), wanted.part().units(), GpuPart.WHOLE.units());
  }

  private static long quotient(long one, long other, long by) {
    return BigInteger.valueOf(one)
        .multiply(BigInteger.valueOf(other))
        .divide(BigInteger.valueOf(by))
        .longValueExact();
  }

  /**
   * Whole ones by index, all of one kind if that can be; a part where others have parts already and
   * least is left, or where most is left.
   */
  private List<Gpu> chosen(GpuRequest wanted, List<Gpu> fitting) {
    if (wanted instanceof GpuRequest.Shared shared) {
      Comparator<Gpu> room = Comparator.comparingLong(gpu -> room(gpu, shared));
      var order = new ArrayList<>(fitting);
      order.sort(
          shared.spread() ? room.reversed() : Comparator.comparing(this::free).thenComparing(room));
      var chosen = new ArrayList<>(order.subList(0, wanted.count()));
      chosen.sort(Comparator.comparingInt(Gpu::index));
      return chosen;
    }
    for (Gpu first : fitting) {
      List<Gpu> equal =
          fitting.stream()
              .filter(g -> g.model().equals(first.model()) && g.memory() == first.memory())
              .toList();
      if (equal.size() >= wanted.count()) {
        return equal.subList(0, wanted.count());
      }
    }
    return fitting.subList(0, wanted.count());
  }

  /** The lowest numbers, those near the GPUs before all others. */
  private Ranges nearest(int count, List<Gpu> gpus) {
    TreeSet<Integer> free = cpus();
    var order = new ArrayList<Integer>();
    free.stream()
        .filter(cpu -> gpus.stream().anyMatch(gpu -> gpu.near().stream().anyMatch(n -> n == cpu)))
        .forEach(order::add);
    free.stream().filter(cpu -> !order.contains(cpu)).toList().forEach(order::add);
    return Ranges.ofAll(order.subList(0, count));
  }

  /** The GPUs by index that would do for the request, or for a part of it. */
  List<Gpu> fitting(Request request) {
    return machine.gpus().stream()
        .filter(gpu -> mayHave(gpu, request.gpus()))
        .filter(gpu -> passes(gpu, request.filter()) && fits(gpu, request.gpus()))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  /** Beside an outsider there is room for who does not want the GPU alone. */
  static boolean mayHave(Gpu gpu, GpuRequest wanted) {
    return gpu.availability() instanceof Availability.Usable
        || (gpu.availability() instanceof Availability.Outsider
            && wanted instanceof GpuRequest.Shared);
  }

  private boolean fits(Gpu gpu, GpuRequest wanted) {
    return switch (wanted) {
      case GpuRequest.None() -> true;
      case GpuRequest.Whole _ -> free(gpu);
      case GpuRequest.Shared shared ->
          parts(gpu) < GpuPart.WHOLE.units()
              && parts(gpu) + shared.part().units() <= GpuPart.WHOLE.units()
              && used(gpu) + promised(gpu, shared) <= gpu.memory();
    };
  }

  /** What is promised, and what is in use besides. */
  private long used(Gpu gpu) {
    return gpu.beyond() + grants(gpu).stream().mapToLong(GpuGrant::memory).sum();
  }

  private long parts(Gpu gpu) {
    return grants(gpu).stream().mapToLong(grant -> grant.part().units()).sum();
  }

  /** The most of what is asked for that is left. Half of the memory is half of the GPU. */
  long room(Gpu gpu, GpuRequest.Shared wanted) {
    long left = Math.max(0, gpu.memory() - used(gpu));
    long parts = GpuPart.WHOLE.units() - parts(gpu);
    return wanted.part().isNone()
        ? (parts > 0 ? left : 0)
        : Math.min(parts, quotient(left, GpuPart.WHOLE.units(), gpu.memory()));
  }

  boolean free(Gpu gpu) {
    return grants(gpu).isEmpty();
  }

  private List<GpuGrant> grants(Gpu gpu) {
    return held.stream()
        .flatMap(h -> h.gpus().stream())
        .filter(grant -> grant.gpu().equals(gpu.id()))
        .toList();
  }

  /** Types are single words in these tests; those of several are in ReasonTest. */
  static boolean passes(Gpu gpu, GpuFilter filter) {
    List<String> words = List.of(gpu.model().toLowerCase(Locale.ROOT).split(" ", -1));
    return (filter.only().isEmpty() || filter.only().contains(gpu.index()))
        && !filter.exclude().contains(gpu.index())
        && (filter.type().isEmpty() || words.contains(filter.type().get()));
  }
}
