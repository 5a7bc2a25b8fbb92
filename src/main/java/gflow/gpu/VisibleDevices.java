package gflow.gpu;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What an inherited CUDA_VISIBLE_DEVICES leaves of the inventory: inside a Slurm job or a container
 * the other GPUs belong to somebody else. CUDA's rules: unset is all, empty is none, entries are
 * indices or (the start of) UUIDs, and an entry that is neither hides itself and all that follow.
 */
final class VisibleDevices {
  private VisibleDevices() {}

  /** Keeps NVML's order and indices, whatever the order of the entries. */
  static List<GpuDevice> leaves(List<GpuDevice> all, Optional<String> variable) {
    if (variable.isEmpty()) {
      return List.copyOf(all);
    }
    var named = new ArrayList<GpuDevice>();
    for (String entry : variable.get().split(",", -1)) {
      Optional<GpuDevice> device = find(all, entry.strip());
      if (device.isEmpty()) {
        break;
      }
      named.add(device.get());
    }
    return all.stream().filter(named::contains).toList();
  }

  private static Optional<GpuDevice> find(List<GpuDevice> all, String entry) {
    if (entry.matches("[0-9]{1,6}")) {
      int index = Integer.parseInt(entry);
      return all.stream().filter(d -> d.index() == index).findFirst();
    }
    String start = entry.toLowerCase(Locale.ROOT);
    if (!start.startsWith("gpu-") && !start.startsWith("mig-")) {
      return Optional.empty();
    }
    var matches =
        all.stream().filter(d -> d.id().uuid().toLowerCase(Locale.ROOT).startsWith(start)).toList();
    return matches.size() == 1 ? Optional.of(matches.getFirst()) : Optional.empty();
  }
}
