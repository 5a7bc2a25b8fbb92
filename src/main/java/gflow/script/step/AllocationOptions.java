package gflow.script.step;

import gflow.script.env.Environment;
import gflow.script.grammar.Given;
import gflow.script.grammar.Grammar;
import gflow.script.grammar.Opt;
import gflow.script.order.BatchOptions;
import gflow.script.value.BadInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The options of {@code srun} outside a job: some are of the allocation that it takes, a job, and
 * some of the step that runs in it, and some of both.
 */
public final class AllocationOptions {
  /** What a job takes besides what a step does. */
  private static final List<String> MORE =
      Opt.names(
          "gpu-memory gpu-memory-limit gpu-log shared placement fence no-fence mps no-mps"
              + " gpu-type gpu-ids"
              + " exclude-gpus cpus-per-gpu mem-per-gpu signal priority begin hold depends-on"
              + " dependency");

  /** What the step has of the job, as the whole of it is its own. */
  private static final List<String> WHOLE =
      Opt.names(
          "gres gpus gpus-per-node gpus-per-socket mem mem-per-cpu exclusive time nodes "
              + "ntasks-per-node mps no-mps");

  /** What is said of the program, and not of the allocation. */
  private static final List<String> OF_THE_STEP =
      Opt.names(
          "output error input chdir label overlap exact immediate mpi gpu-bind cpu-bind "
              + "spread stagger kill-on-bad-exit unbuffered multi-prog quiet verbose help jobid "
              + "pty distribution export retries retry-on");

  private AllocationOptions() {}

  /** The options of a job that these do not have yet. */
  static List<Opt> besides(List<Opt> known) {
    var more = new ArrayList<>(BatchOptions.some(MORE));
    more.addAll(BatchOptions.labels());
    more.removeIf(option -> known.stream().anyMatch(other -> other.name().equals(option.name())));
    return more;
  }

  /** What the job is told, by the names of its own options. */
  public static SortedMap<String, List<String>> ofTheJob(Given given) {
    var options = new TreeMap<String, List<String>>();
    given
        .byName()
        .forEach(
            (name, values) -> {
              String job = name.equals("job-name") ? "name" : name;
              boolean known =
                  BatchOptions.GRAMMAR.options().stream().anyMatch(o -> o.name().equals(job));
              if (known && !OF_THE_STEP.contains(job) && !values.equals(List.of("none"))) {
                options.put(job, values);
              }
            });
    if (StepOptions.isSpread(given)) {
      options.put("gpu-bind", List.of("spread"));
    }
    options.put("output", List.of("none"));
    options.put("no-requeue", List.of(""));
    options.put(BatchOptions.ALLOCATION, List.of(""));
    return options;
  }

  private static final List<String> NOT_OF_SALLOC =
      Opt.names(
          "array param param-file max-concurrent output error input open-mode wrap config "
              + "spread stagger "
              + "wait from group dry-run json parsable retries retry-on requeue no-requeue export "
              + "conda-env conda-prefix multi-prog label unbuffered kill-on-bad-exit pty jobid mpi "
              + "het-group help");

  public static Grammar salloc() {
    var options = new ArrayList<Opt>();
    BatchOptions.GRAMMAR.options().stream()
        .filter(option -> !NOT_OF_SALLOC.contains(option.name()))
        .forEach(options::add);
    options.add(Opt.optional("kill-command", "K", "SIGNAL", ""));
    options.add(Opt.flag("bell", "", ""));
    options.add(Opt.flag("no-bell", "", ""));
    options.add(Opt.flag("no-shell", "", ""));
    options.add(Opt.HELP);
    return new Grammar(
        "salloc",
        "[options] [COMMAND [ARGS…]]",
        "Takes an allocation and runs a command in it, or your shell. There srun makes steps of"
            + " it; with the command it ends.",
        options,
        true);
  }

  /** What the job of salloc is told. */
  public static SortedMap<String, List<String>> ofSalloc(Given given) {
    var options = new TreeMap<>(ofTheJob(given));
    options.putIfAbsent("name", List.of("interactive"));
    return options;
  }

  /** What the step is told: its tasks, and which of them sees what. */
  public static Given ofTheStep(Given given) throws BadInput {
    int tasks = StepOptions.tasks(given);
    return given.changed(
        options -> {
          options.keySet().removeAll(WHOLE);
          options.put("ntasks", List.of(Integer.toString(tasks)));
        });
  }

  /** {@code --jobid} of the job that it stands in says nothing new: launchers write it often. */
  public static Given inOwnJob(Given given, byte[] environment) {
    Environment caller = Environment.of(environment);
    Optional<String> named = given.value("jobid");
    if (named.isEmpty() || caller.value("GFLOW_MARK").isEmpty()) {
      return given;
    }
    String task =
        caller.value("SLURM_ARRAY_JOB_ID").orElse("")
            + "_"
            + caller.value("SLURM_ARRAY_TASK_ID").orElse("");
    if (!named.equals(caller.value("GFLOW_JOB_ID")) && !named.get().equals(task)) {
      return given;
    }
    return given.changed(options -> options.remove("jobid"));
  }

  /** A step in somebody's job has one task if it does not say; Slurm says one for each node. */
  public static Given ofOneTask(Given given) {
    boolean said =
        given.has("ntasks") || given.has("ntasks-per-node") || given.has("ntasks-per-gpu");
    return said ? given : given.changed(options -> options.put("ntasks", List.of("1")));
  }
}
