package gflow.daemon.core;

import gflow.gpu.GpuDevice;
import gflow.json.BadJson;
import gflow.json.Json;
import gflow.json.RecordJson;
import gflow.plan.UsageLimits;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What {@code gctl} had said, read back at the start, and why not all of it could be. Each field is
 * read for itself then. Where nobody knows which GPUs were drained or allowed, all are drained: one
 * that waits is found sooner than one that runs on a broken GPU.
 */
public record KeptControls(OperatorControls controls, Optional<String> unread) {
  private static final String UNKNOWN = "what gctl had said of the GPUs cannot be read";

  /** The configuration has its say of every user anew. */
  public static KeptControls read(
      @Nullable String text, UsageLimits config, List<GpuDevice> devices) {
    OperatorControls none = OperatorControls.none(config);
    if (text == null) {
      return new KeptControls(none, Optional.empty());
    }
    try {
      OperatorControls kept = RecordJson.read(OperatorControls.class, text);
      return new KeptControls(kept.withCaps(none, kept), Optional.empty());
    } catch (BadJson e) {
      return new KeptControls(parts(tree(text), none, devices), Optional.of("" + e.getMessage()));
    }
  }

  private static OperatorControls parts(
      Map<?, ?> tree, OperatorControls none, List<GpuDevice> devices) {
    Optional<OperatorControls> allowed = part(tree, "allowed_gpus", none);
    Optional<OperatorControls> drained = part(tree, "drained_gpus", none);
    OperatorControls limits = part(tree, "limits", none).orElse(none);
    OperatorControls users = part(tree, "ignored_users", none).orElse(none);
    OperatorControls commands = part(tree, "ignored_commands", none).orElse(none);
    var known = new TreeMap<>(drained.orElse(none).drainedGpus());
    if (allowed.isEmpty() || drained.isEmpty()) {
      devices.forEach(device -> known.putIfAbsent(device.id().uuid(), UNKNOWN));
    }
    return none.withAllowed(allowed.orElse(none).allowedGpus())
        .withDrained(known)
        .withPause(part(tree, "paused", none).orElse(none).paused())
        .withIgnored(users.ignoredUsers(), commands.ignoredCommands())
        .withCaps(none, limits);
  }

  /** Only that field; empty if it cannot be read, or is not there though it was always written. */
  private static Optional<OperatorControls> part(
      Map<?, ?> tree, String field, OperatorControls none) {
    var alone = new LinkedHashMap<String, @Nullable Object>();
    alone.put("limits", RecordJson.tree(none.limits()));
    alone.put(field, tree.get(field));
    try {
      return tree.containsKey(field)
          ? Optional.of(RecordJson.fromTree(OperatorControls.class, alone))
          : Optional.empty();
    } catch (BadJson e) {
      return Optional.empty();
    }
  }

  private static Map<?, ?> tree(String text) {
    try {
      return Json.parse(text) instanceof Map<?, ?> map ? map : Map.of();
    } catch (BadJson e) {
      return Map.of();
    }
  }
}
