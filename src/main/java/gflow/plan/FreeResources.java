package gflow.plan;

import gflow.job.Allocation;
import gflow.job.Allocation.GpuGrant;
import gflow.job.GpuFilter;
import gflow.job.GpuId;
import gflow.job.GpuRequest;
import gflow.job.Ranges;
import gflow.job.Request;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What is free on the machine, and how a request is cut out of it. */
final class FreeResources {
  private final BitSet all;
  private final BitSet cpus;
  private final List<GpuBudget> budgets;
  private final Map<GpuId, GpuBudget> byId = new TreeMap<>();
  // Most requests have the same few filters, and a filter by type reads names.
  private final Map<GpuFilter, List<GpuBudget>> passing = new HashMap<>();
  private int cpuCount;
  private long memory;

  /** How far a request may go: not onto these GPUs, and not beyond so many CPUs and bytes. */
  record Bounds(List<GpuId> barred, int cpus, long memory) {
    static final Bounds NONE = new Bounds(List.of(), Integer.MAX_VALUE, Long.MAX_VALUE);
  }

  FreeResources(Machine machine) {
    this(
        bits(machine.cpus()),
        bits(machine.cpus()),
        machine.gpus().stream().map(GpuBudget::new).toList(),
        machine.memory());
  }

  /** The same, with these GPUs the last to be given out, in this order. */
  static FreeResources sparing(Machine machine, List<GpuId> last) {
    var budgets = new ArrayList<>(machine.gpus().stream().map(GpuBudget::new).toList());
    budgets.sort(Comparator.comparingInt(budget -> last.indexOf(budget.gpu.id())));
    return new FreeResources(bits(machine.cpus()), bits(machine.cpus()), budgets, machine.memory());
  }

  private FreeResources(BitSet all, BitSet cpus, List<GpuBudget> budgets, long memory) {
    this.all = all;
    this.cpus = cpus;
    this.cpuCount = cpus.cardinality();
    this.budgets = budgets;
    this.memory = memory;
    budgets.forEach(budget -> byId.put(budget.gpu.id(), budget));
  }

  FreeResources copy() {
    return new FreeResources(
        all, (BitSet) cpus.clone(), budgets.stream().map(GpuBudget::copy).toList(), memory);
  }

  int cpus() {
    return cpuCount;
  }

  long memory() {
    return memory;
  }

  /** The GPUs that pass, by index. */
  List<GpuBudget> passing(GpuFilter filter) {
    return passing.computeIfAbsent(
        filter, f -> budgets.stream().filter(budget -> budget.gpu.passes(f)).toList());
  }

  boolean hasGpuRoom(List<GpuId> barred) {
    return budgets.stream().anyMatch(c -> c.hasRoom() && !barred.contains(c.gpu.id()));
  }

  void take(Allocation given) {
    cpus.andNot(bits(given.cpus()));
    cpuCount = cpus.cardinality();
    memory -= given.memory();
    for (GpuGrant grant : given.gpus()) {
      Optional.ofNullable(byId.get(grant.gpu())).ifPresent(budget -> budget.take(grant));
    }
  }

  void release(Allocation given) {
    BitSet back = bits(given.cpus());
    back.and(all);
    cpus.or(back);
    cpuCount = cpus.cardinality();
    memory += given.memory();
    for (GpuGrant grant : given.gpus()) {
      Optional.ofNullable(byId.get(grant.gpu())).ifPresent(budget -> budget.release(grant));
    }
  }

  /** What the request would get now, or nothing if not all of it is free within the bounds. */
  Optional<Allocation> fit(Request request, Bounds bounds) {
    int wanted = request.cpus();
    if (wanted > Math.min(cpuCount, bounds.cpus())
        || (request.memory() > 0 && request.memory() > Math.min(memory, bounds.memory()))) {
      return Optional.empty();
    }
    return choose(request, bounds.barred())
        .map(
            chosen ->
                new Allocation(
                    chosen.stream().map(budget -> budget.grantFor(request.gpus())).toList(),
                    lowest(wanted, chosen),
                    request.memory()));
  }

  /** The GPUs alone, whatever CPUs and memory say. */
  Optional<List<GpuBudget>> choose(Request request, List<GpuId> barred) {
    int count = request.gpus().count();
    if (count == 0) {
      return Optional.of(List.of());
    }
    List<GpuBudget> fitting =
        passing(request.filter()).stream()
            .filter(c -> c.gpu.usableFor(request.gpus()) && !barred.contains(c.gpu.id()))
            .filter(c -> c.fits(request.gpus()))
            .toList();
    if (fitting.size() < count) {
      return Optional.empty();
    }
    return Optional.of(
        request.gpus() instanceof GpuRequest.Shared shared
            ? fitting.stream()
                .sorted(order(shared))
                .limit(count)
                .sorted(Comparator.comparingInt(budget -> budget.gpu.index()))
                .toList()
            : equal(fitting, count));
  }

  /**
   * The one way is to fill GPUs that are shared already, the fullest first, so that others stay
   * whole; the other is to go where there is most room.
   */
  static Comparator<GpuBudget> order(GpuRequest.Shared wanted) {
    Comparator<GpuBudget> room =
        wanted.part().isNone()
            ? Comparator.comparingLong(GpuBudget::memoryLeft)
            : Comparator.comparing(GpuBudget::partLeft);
    return wanted.spread()
        ? room.reversed()
        : Comparator.comparing(GpuBudget::isFree).thenComparing(room);
  }

  /** Of one kind, where so many of one are free: the slowest makes the others wait. */
  private static List<GpuBudget> equal(List<GpuBudget> fitting, int count) {
    return fitting.stream()
        .map(first -> fitting.stream().filter(other -> other.gpu.equalTo(first.gpu)).toList())
        .filter(kind -> kind.size() >= count)
        .findFirst()
        .orElse(fitting)
        .subList(0, count);
  }

  private Ranges lowest(int count, List<GpuBudget> chosen) {
    if (count == 0) {
      return Ranges.EMPTY;
    }
    var near = new BitSet();
    chosen.forEach(budget -> near.or(bits(budget.gpu.near())));
    near.and(cpus);
    var others = (BitSet) cpus.clone();
    others.andNot(near);
    var taken = new ArrayList<Integer>(count);
    addLowest(near, count, taken);
    addLowest(others, count, taken);
    return Ranges.ofAll(taken);
  }

  private static void addLowest(BitSet from, int count, List<Integer> taken) {
    for (int cpu = from.nextSetBit(0); cpu >= 0 && taken.size() < count; ) {
      taken.add(cpu);
      cpu = from.nextSetBit(cpu + 1);
    }
  }

  private static BitSet bits(Ranges ranges) {
    var bits = new BitSet();
    ranges.parts().forEach(part -> bits.set(part.first(), part.last() + 1));
    return bits;
  }
}
