package gflow.script.order;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What scripts of other sites say, and what it means here: names of GPU types, types that are not
 * here, and options of {@code #SBATCH} lines and Slurm's commands that only such a site knows.
 */
public record Site(
    SortedMap<String, String> gpuTypes, UnknownType unknownType, List<String> ignoredOptions) {
  public static final Site USUAL = new Site(new TreeMap<>(), UnknownType.AUTO, List.of());

  /** What a type of GPU means that is not here. */
  public enum UnknownType {
    /** Any GPU, for a job that speaks Slurm on a machine with one model. */
    AUTO,
    /** Any GPU. */
    LABEL,
    REFUSE
  }

  public Site {
    var types = new TreeMap<String, String>();
    gpuTypes.forEach((name, type) -> types.put(name.toLowerCase(Locale.ROOT), type));
    gpuTypes = Collections.unmodifiableSortedMap(types);
    ignoredOptions = List.copyOf(ignoredOptions);
  }

  String type(String written) {
    return gpuTypes.getOrDefault(written.toLowerCase(Locale.ROOT), written);
  }

  boolean ignores(String word) {
    return ignoredOptions.contains(word.replaceFirst("=.*", ""));
  }
}
