package gflow.daemon;

import gflow.job.GpuId;
import gflow.plan.Limits;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What the operator has said with {@code gctl}. It is kept in the store as one setting. */
record Controls(
    Optional<List<Integer>> allowedGpus,
    SortedMap<String, String> drainedGpus,
    Limits limits,
    List<String> ignoredUsers,
    List<String> ignoredCommands) {
  static final String KEY = "controls";

  Controls {
    drainedGpus = Collections.unmodifiableSortedMap(new TreeMap<>(drainedGpus));
    ignoredUsers = List.copyOf(ignoredUsers);
    ignoredCommands = List.copyOf(ignoredCommands);
  }

  static Controls none(Limits limits) {
    return new Controls(Optional.empty(), new TreeMap<>(), limits, List.of(), List.of());
  }

  boolean allows(int index) {
    return allowedGpus.map(list -> list.contains(index)).orElse(true);
  }

  Optional<String> drained(GpuId gpu) {
    return Optional.ofNullable(drainedGpus.get(gpu.uuid()));
  }

  Controls withAllowed(Optional<List<Integer>> allowed) {
    return new Controls(allowed, drainedGpus, limits, ignoredUsers, ignoredCommands);
  }

  Controls withDrained(SortedMap<String, String> drained) {
    return new Controls(allowedGpus, drained, limits, ignoredUsers, ignoredCommands);
  }

  Controls withLimits(Limits changed) {
    return new Controls(allowedGpus, drainedGpus, changed, ignoredUsers, ignoredCommands);
  }

  Controls withIgnored(List<String> users, List<String> commands) {
    return new Controls(allowedGpus, drainedGpus, limits, users, commands);
  }
}
