package gflow.daemon.core;

import static java.util.Objects.requireNonNull;

import gflow.job.GpuId;
import gflow.json.RecordJson;
import gflow.plan.UsageLimits;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the operator has said with {@code gctl}, kept in the store as one setting. What is said of
 * every user is the configuration's, and is not kept.
 */
public record OperatorControls(
    Optional<List<Integer>> allowedGpus,
    SortedMap<String, String> drainedGpus,
    UsageLimits limits,
    List<String> ignoredUsers,
    List<String> ignoredCommands,
    Optional<String> paused) {
  public static final String KEY = "controls";

  public OperatorControls {
    requireNonNull(limits, "limits");
    drainedGpus = Collections.unmodifiableSortedMap(new TreeMap<>(drainedGpus));
    ignoredUsers = List.copyOf(ignoredUsers);
    ignoredCommands = List.copyOf(ignoredCommands);
  }

  public static OperatorControls none(UsageLimits limits) {
    return new OperatorControls(
        Optional.empty(), new TreeMap<>(), limits, List.of(), List.of(), Optional.empty());
  }

  boolean allows(int index) {
    return allowedGpus.map(list -> list.contains(index)).orElse(true);
  }

  Optional<String> drained(GpuId gpu) {
    return Optional.ofNullable(drainedGpus.get(gpu.uuid()));
  }

  public OperatorControls withAllowed(Optional<List<Integer>> allowed) {
    return new OperatorControls(
        allowed, drainedGpus, limits, ignoredUsers, ignoredCommands, paused);
  }

  public OperatorControls withDrained(SortedMap<String, String> drained) {
    return new OperatorControls(
        allowedGpus, drained, limits, ignoredUsers, ignoredCommands, paused);
  }

  public OperatorControls withLimits(UsageLimits changed) {
    return new OperatorControls(
        allowedGpus, drainedGpus, changed, ignoredUsers, ignoredCommands, paused);
  }

  /** With one's cap for every user, and the other's for those that it names. */
  OperatorControls withCaps(OperatorControls everyUser, OperatorControls named) {
    return withLimits(
        new UsageLimits(
            everyUser.limits.everyUser(), named.limits.users(), named.limits.projects()));
  }

  /** As it is kept. */
  public String text() {
    return RecordJson.write(withCaps(none(UsageLimits.NONE), this));
  }

  public OperatorControls withPause(Optional<String> why) {
    return new OperatorControls(
        allowedGpus, drainedGpus, limits, ignoredUsers, ignoredCommands, why);
  }

  public OperatorControls withIgnored(List<String> users, List<String> commands) {
    return new OperatorControls(allowedGpus, drainedGpus, limits, users, commands, paused);
  }
}
