package gflow.map.items;

import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What an item's program gets in its environment: the item, where it runs, and its columns. */
public final class ItemVariables {
  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /** A table must not change how programs are found and run, nor which GPU they see. */
  private static final Pattern KEPT =
      Pattern.compile(
          "(GFLOW|SLURM|SBATCH|SRUN|LD|CUDA|BASH|LC|XDG)_.*|PYTHON.*|.*_VISIBLE_DEVICES|PATH|HOME"
              + "|SHELL|USER|LOGNAME|PWD|OLDPWD|IFS|ENV|TMPDIR|LANG|TERM|HOSTNAME|DISPLAY|PERL5LIB"
              + "|GPU_DEVICE_ORDINAL|ZE_AFFINITY_MASK|OMP_NUM_THREADS");

  private ItemVariables() {}

  public static SequencedMap<String, String> of(Item item, RunPlace place) {
    var all = new LinkedHashMap<String, String>();
    item.columns()
        .forEach(
            (name, value) -> {
              if (mayBeSet(name)) {
                all.put(name, value);
              }
            });
    all.put("GFLOW_ITEM", item.text());
    all.put("GFLOW_ITEM_INDEX", Integer.toString(item.index()));
    all.put("GFLOW_ITEM_NAME", joined(item, PathPart.NAME));
    all.put("GFLOW_ITEM_STEM", joined(item, PathPart.STEM));
    all.put("GFLOW_ITEM_DIR", joined(item, PathPart.DIR));
    all.put("GFLOW_ITEM_ATTEMPT", Integer.toString(place.attempt()));
    all.put("GFLOW_SLOT", Integer.toString(place.slot()));
    all.put("GFLOW_GPU", place.gpu());
    return all;
  }

  static boolean mayBeSet(String name) {
    return NAME.matcher(name).matches() && !KEPT.matcher(name).matches();
  }

  static String joined(Item item, PathPart part) {
    return item.values().size() == 1
        ? part.of(item.values().getFirst())
        : item.values().stream().map(part::of).collect(Collectors.joining(" "));
  }
}
