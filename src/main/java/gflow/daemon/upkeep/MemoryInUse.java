package gflow.daemon.upkeep;

import gflow.daemon.core.Core;
import gflow.daemon.core.StepBook;
import gflow.gpu.GpuReading;
import gflow.job.Allocation.GpuGrant;
import gflow.job.GpuId;
import gflow.plan.Holding;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What is in use on GPUs beyond what was promised: to outsiders nothing was. */
final class MemoryInUse {
  private static final long ALL = Long.MAX_VALUE / 2;

  private MemoryInUse() {}

  /**
   * {@code ours}: what attempts have, by their names. Of that no more counts as promised than was.
   * Less than {@code little} is the driver's own, or a screen. Where the driver does not say, all
   * of it may be in use.
   */
  static Map<GpuId, Long> beyond(
      Map<String, List<GpuGrant>> promises,
      List<GpuReading> readings,
      Map<GpuId, Map<String, Long>> ours,
      long little) {
    var beyond = new TreeMap<GpuId, Long>();
    for (GpuReading reading : readings) {
      long covered =
          ours.getOrDefault(reading.id(), Map.of()).entrySet().stream()
              .mapToLong(
                  one ->
                      Math.min(
                          one.getValue(),
                          promised(promises.getOrDefault(one.getKey(), List.of()), reading.id())))
              .sum();
      boolean unknown = reading.memoryUsed().isEmpty() && !reading.compute().isEmpty();
      long more = unknown ? ALL : reading.memoryUsed().orElse(0) - covered;
      if (more > little) {
        beyond.put(reading.id(), more);
      }
    }
    return beyond;
  }

  /** What was promised to whom, by the attempts' names. */
  static Map<String, List<GpuGrant>> promises(Core core) {
    var all = new HashMap<String, List<GpuGrant>>();
    for (Holding holding : core.holdings()) {
      Optional<StepBook.Home> home = core.home(holding.task().number());
      home.ifPresent(h -> all.put(h.id().toString(), holding.gpus()));
    }
    return all;
  }

  /** Which GPUs attempts have, by their names. */
  static Map<String, List<GpuId>> places(Core core) {
    var all = new HashMap<String, List<GpuId>>();
    promises(core)
        .forEach((name, grants) -> all.put(name, grants.stream().map(GpuGrant::gpu).toList()));
    return all;
  }

  private static long promised(List<GpuGrant> grants, GpuId gpu) {
    return grants.stream()
        .filter(grant -> grant.gpu().equals(gpu))
        .mapToLong(GpuGrant::memory)
        .sum();
  }
}
