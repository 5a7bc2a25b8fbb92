package gflow.script;

import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The options that {@code sbatch} takes from variables: above the lines of a script, below the
 * command line. Only {@code sbatch} does: {@code gbatch} is not to be surprised by them.
 */
public final class SbatchVariables {
  private static final List<String> NAMED_ALIKE =
      List.of(
          "account",
          "acctg-freq",
          "clusters",
          "constraint",
          "container",
          "core-spec",
          "cpu-freq",
          "cpus-per-gpu",
          "delay-boot",
          "distribution",
          "exclusive",
          "export",
          "get-user-env",
          "gpu-bind",
          "gpu-freq",
          "gpus",
          "gpus-per-node",
          "gpus-per-task",
          "gres",
          "gres-flags",
          "hint",
          "licenses",
          "mem-bind",
          "mem-per-cpu",
          "mem-per-gpu",
          "network",
          "no-kill",
          "no-requeue",
          "open-mode",
          "overcommit",
          "partition",
          "power",
          "profile",
          "qos",
          "requeue",
          "reservation",
          "signal",
          "spread-job",
          "thread-spec",
          "threads-per-core",
          "use-min-nodes",
          "wait",
          "wckey");

  /** Options by variable, as the manual of sbatch lists them. */
  private static final SortedMap<String, String> OPTIONS = options();

  private SbatchVariables() {}

  /** The variables under what the command line said; {@code variables} knows the environment. */
  public static Given under(Given commandLine, Function<String, Optional<String>> variables)
      throws BadInput {
    var found = new TreeMap<String, List<String>>();
    for (var option : OPTIONS.entrySet()) {
      Optional<String> value = variables.apply(option.getKey());
      if (value.isPresent()) {
        read(option.getKey(), option.getValue(), value.get(), found);
      }
    }
    return Directives.merge(commandLine, new Given(found, List.of()));
  }

  private static void read(
      String variable, String option, String value, SortedMap<String, List<String>> found)
      throws BadInput {
    try {
      String word = isFlag(option) ? "--" + option : "--" + option + "=" + value;
      found.putAll(BatchOptions.GRAMMAR.read(List.of(word)).byName());
    } catch (BadInput bad) {
      throw new BadInput(variable + ": " + bad.line());
    }
  }

  private static boolean isFlag(String option) {
    return BatchOptions.GRAMMAR.options().stream()
        .anyMatch(o -> o.name().equals(option) && o.arity() == Opt.Arity.FLAG);
  }

  /** Every variable that is read. */
  public static List<String> names() {
    return List.copyOf(OPTIONS.keySet());
  }

  private static SortedMap<String, String> options() {
    var all = new TreeMap<String, String>();
    for (String option : NAMED_ALIKE) {
      all.put("SBATCH_" + option.replace('-', '_').toUpperCase(Locale.ROOT), option);
    }
    all.put("SBATCH_ARRAY_INX", "array");
    all.put("SBATCH_DEBUG", "verbose");
    all.put("SBATCH_JOB_NAME", "name");
    all.put("SBATCH_MEM_PER_NODE", "mem");
    all.put("SBATCH_REQ_SWITCH", "switches");
    all.put("SBATCH_TIMELIMIT", "time");
    return Collections.unmodifiableSortedMap(all);
  }
}
