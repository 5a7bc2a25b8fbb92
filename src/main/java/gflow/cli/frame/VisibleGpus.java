package gflow.cli.frame;

import gflow.api.MachineView;
import gflow.api.MachineView.GpuView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What CUDA_VISIBLE_DEVICES leaves of the machine to who sets it for one command. CUDA's rules: not
 * set is all, empty is none, entries are numbers or the start of a UUID. What CUDA would pass over
 * in silence is refused.
 */
public final class VisibleGpus {
  public static final String NAME = "CUDA_VISIBLE_DEVICES";

  private VisibleGpus() {}

  /** Empty if nothing is said; a list without entries means no GPU. */
  public static Optional<List<Integer>> of(Optional<String> variable, MachineView machine)
      throws Refused {
    if (variable.isEmpty()) {
      return Optional.empty();
    }
    String text = variable.get().strip();
    var gpus = new ArrayList<Integer>();
    if (!text.isEmpty() && !text.equals("-1")) {
      for (String entry : text.split(",", -1)) {
        gpus.add(index(entry.strip(), machine));
      }
    }
    return Optional.of(gpus.stream().distinct().toList());
  }

  private static int index(String entry, MachineView machine) throws Refused {
    String start = entry.toLowerCase(Locale.ROOT);
    List<GpuView> named =
        machine.gpus().stream()
            .filter(
                gpu ->
                    entry.equals(Integer.toString(gpu.index()))
                        || (start.startsWith("gpu-")
                            && gpu.uuid().toLowerCase(Locale.ROOT).startsWith(start)))
            .toList();
    if (named.size() != 1) {
      throw new Refused(
          "%s has '%s', which is no GPU here; ginfo lists them".formatted(NAME, entry));
    }
    return named.getFirst().index();
  }
}
