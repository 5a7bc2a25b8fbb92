package gflow.daemon;

import static java.util.Objects.requireNonNull;

import gflow.job.GpuId;
import gflow.json.RecordJson;
import gflow.plan.Limits;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the operator has said with {@code gctl}, kept in the store as one setting. What is said of
 * every user is the configuration's, and is not kept.
 */
record Controls(
    Optional<List<Integer>> allowedGpus,
    SortedMap<String, String> drainedGpus,
    Limits limits,
    List<String> ignoredUsers,
    List<String> ignoredCommands) {
  static final String KEY = "controls";

  Controls {
    requireNonNull(limits, "limits");
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

  /** With one's cap for every user, and the other's for those that it names. */
  Controls withCaps(Controls everyUser, Controls named) {
    return withLimits(
        new Limits(everyUser.limits.everyUser(), named.limits.users(), named.limits.projects()));
  }

  /** As it is kept. */
  String text() {
    return RecordJson.write(withCaps(none(Limits.NONE), this));
  }

  Controls withIgnored(List<String> users, List<String> commands) {
    return new Controls(allowedGpus, drainedGpus, limits, users, commands);
  }
}
