package gflow.script.env;

import gflow.script.value.BadInput;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Which of the submitter's variables a job gets: {@code --export}, less those of an outer job. */
public final class Exports {
  /** Said by an outer job, or by the shell about the program that it ran. */
  private static final Pattern OUTER =
      Pattern.compile(
          "(SLURM|SLURMD|SRUN|GFLOW)_.*|CUDA_VISIBLE_DEVICES|CUDA_DEVICE_ORDER|GPU_DEVICE_ORDINAL"
              + "|ROCR_VISIBLE_DEVICES|ZE_AFFINITY_MASK|_");

  /** The user's own settings: {@code gbatch} inside the job must reach the same daemon. */
  private static final Pattern OWN = Pattern.compile("GFLOW_HOME|GFLOW_JAVA|SLURM_CONF");

  /** What a login would set; {@code none} leaves these, because nothing runs without them. */
  private static final Pattern LOGIN =
      Pattern.compile("HOME|LOGNAME|USER|SHELL|PATH|LANG|GFLOW_HOME|GFLOW_JAVA");

  private Exports() {}

  static Environment apply(byte[] block, String export) throws BadInput {
    Environment inherited = withoutOuter(Environment.of(block));
    List<String> parts = split(export);
    boolean all = parts.stream().anyMatch(p -> p.equalsIgnoreCase("ALL"));
    boolean none = parts.stream().anyMatch(p -> p.equalsIgnoreCase("NONE"));
    if (none && parts.size() > 1) {
      throw new BadInput("export '" + export + "' says none and something; write one of them");
    }
    var named = new TreeSet<String>();
    for (String part : parts) {
      named.add(checkedName(export, Environment.name(part)));
    }
    Environment result =
        inherited.keep(n -> all || named.contains(n) || LOGIN.matcher(n).matches());
    for (String part : parts) {
      int equals = part.indexOf('=');
      if (equals >= 0) {
        result = result.with(part.substring(0, equals), part.substring(equals + 1));
      }
    }
    return result;
  }

  /** Whether gflow sets it for each job, whatever the user says. */
  static boolean isOuter(String name) {
    return !name.equals("_") && OUTER.matcher(name).matches() && !OWN.matcher(name).matches();
  }

  /**
   * What {@code --export} of a step changes: the job's own variables stay, because the step is one
   * of it, and those of a login, so that programs are found.
   */
  public static StepExports ofStep(Environment caller, Optional<String> export) throws BadInput {
    var dropped = new ArrayList<String>();
    var set = new LinkedHashMap<String, String>();
    if (export.isEmpty()) {
      return new StepExports(dropped, set);
    }
    List<String> parts = split(export.get());
    var named = new TreeSet<String>();
    for (String part : parts) {
      named.add(checkedName(export.get(), Environment.name(part)));
      int equals = part.indexOf('=');
      if (equals >= 0) {
        set.put(part.substring(0, equals), part.substring(equals + 1));
      }
    }
    if (parts.stream().noneMatch(p -> p.equalsIgnoreCase("ALL"))) {
      caller.entries().stream()
          .map(Environment::name)
          .filter(n -> !named.contains(n) && !OUTER.matcher(n).matches())
          .filter(n -> !LOGIN.matcher(n).matches())
          .forEach(dropped::add);
    }
    return new StepExports(dropped, set);
  }

  static Environment withoutOuter(Environment block) {
    Environment kept = block.keep(n -> !OUTER.matcher(n).matches() || OWN.matcher(n).matches());
    Optional<String> set = block.value(JobEnvironment.SET);
    return set.isEmpty() ? kept : withoutSet(kept, List.of(set.get().split(",", -1)));
  }

  /** Nor what gflow itself set for the outer job, unless that job changed it since. */
  private static Environment withoutSet(Environment block, List<String> set) {
    return block.keep(n -> !set.contains(JobEnvironment.mark(n, block.value(n).orElse(""))));
  }

  private static String checkedName(String export, String name) throws BadInput {
    if (name.isEmpty() || name.chars().anyMatch(c -> c <= ' ')) {
      throw new BadInput(
          "export '" + export + "': '" + name + "' is no name; write all, none or A,B=value");
    }
    if (OUTER.matcher(name).matches() && !OWN.matcher(name).matches()) {
      throw new BadInput("export '" + export + "': gflow sets " + name + " itself; leave it out");
    }
    return name;
  }

  /** At commas that are not inside quotes; the quotes stay, as in Slurm. */
  private static List<String> split(String export) throws BadInput {
    var parts = new ArrayList<String>();
    var part = new StringBuilder();
    char quote = 0;
    for (int i = 0; i < export.length(); i++) {
      char c = export.charAt(i);
      if (quote == 0 && c == ',') {
        parts.add(part.toString().stripLeading());
        part.setLength(0);
        continue;
      }
      part.append(c);
      if (c == quote) {
        quote = 0;
      } else if (quote == 0 && (c == '\'' || c == '"')) {
        quote = c;
      }
    }
    if (quote != 0) {
      throw new BadInput("export '" + export + "': a quote " + quote + " is not closed");
    }
    parts.add(part.toString().stripLeading());
    parts.removeIf(String::isEmpty);
    return parts;
  }
}
