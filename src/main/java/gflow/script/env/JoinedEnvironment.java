package gflow.script.env;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;

/**
 * The environment of a program that runs in a job but was not started by it: the caller's own, less
 * what an outer job said, with what gflow set for this one.
 */
public final class JoinedEnvironment {
  /** What is said to a batch script, and is not true of others. */
  private static final Set<String> OF_THE_SCRIPT =
      Set.of(
          "ENVIRONMENT",
          "SLURM_PROCID",
          "SLURM_LOCALID",
          "SLURM_NODEID",
          "SLURM_GTIDS",
          "SLURM_TASK_PID");

  private JoinedEnvironment() {}

  /** {@code job}: that of the job; {@code slurmsNames}: the folder that goes first on PATH. */
  public static byte[] of(byte[] caller, byte[] job, Optional<String> slurmsNames) {
    Environment own = Exports.withoutOuter(Environment.of(caller));
    Environment theirs = Environment.of(job);
    Set<String> offered = offered(theirs);
    Set<String> mine = own.names();
    var added = new LinkedHashMap<String, String>();
    for (String entry : theirs.entries()) {
      String name = Environment.name(entry);
      boolean set = Exports.isOuter(name) || (offered.contains(name) && !mine.contains(name));
      if (set && !OF_THE_SCRIPT.contains(name)) {
        added.put(name, theirs.value(name).orElse(""));
      }
    }
    Environment whole = own.with(added);
    Environment named = slurmsNames.map(whole::withFirstInPath).orElse(whole);
    var simulated = theirs.value(JobEnvironment.SIMULATED_GPUS);
    return JobEnvironment.withSimulatedGpus(named, simulated).block();
  }

  /** The caller's own, less what an outer job said. */
  public static byte[] callers(byte[] caller) {
    return Exports.withoutOuter(Environment.of(caller)).block();
  }

  /** What gflow set because the submitter had not. */
  private static Set<String> offered(Environment job) {
    var names = new TreeSet<String>();
    for (String mark : job.value(JobEnvironment.SET).orElse("").split(",", -1)) {
      names.add(mark.replaceFirst(":.*", ""));
    }
    return names;
  }

  /** What must be set, and what unset, to make the one of the other. */
  public record Change(SequencedMap<String, String> set, List<String> unset) {
    public Change {
      unset = List.copyOf(unset);
    }
  }

  public static Change change(byte[] from, byte[] to) {
    Environment before = Environment.of(from);
    Environment after = Environment.of(to);
    var known = new TreeSet<>(before.entries());
    var set = new LinkedHashMap<String, String>();
    for (String entry : after.entries()) {
      if (!known.contains(entry)) {
        set.put(Environment.name(entry), after.value(Environment.name(entry)).orElse(""));
      }
    }
    var unset = new TreeSet<>(before.names());
    unset.removeAll(after.names());
    return new Change(set, List.copyOf(unset));
  }
}
