package gflow.script.step;

import static gflow.script.grammar.Opt.flag;
import static gflow.script.grammar.Opt.optional;
import static gflow.script.grammar.Opt.value;

import gflow.script.env.Environment;
import gflow.script.grammar.Given;
import gflow.script.grammar.Grammar;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * The options of a step, as srun has them inside a job. What is not said comes from the job's own
 * variables, as there: {@code SLURM_NTASKS}, {@code SLURM_CPUS_PER_TASK}, {@code
 * SLURM_MEM_PER_CPU}, {@code SLURM_GPUS_PER_TASK}.
 */
public final class StepOptions {

  private static final List<Opt> TASKS =
      List.of(
          value("ntasks", "n", "N", "tasks (those of the job)"),
          value("ntasks-per-node", "", "N", "the same on one machine").alias("tasks-per-node"),
          value("ntasks-per-gpu", "", "N", "that many tasks share one GPU, then the next")
              .alias("ntasks-per-tres"),
          value("cpus-per-task", "c", "N", "CPUs for each task; implies --exact"),
          flag("exact", "", "take only these CPUs, so that other steps can run beside it"),
          optional("exclusive", "", "user", "the same as --exact inside a job"),
          flag("overlap", "", "share everything with other steps, and do not wait for them"));

  private static final List<Opt> RESOURCES =
      List.of(
          value("gres", "", "gpu:N|none", "GPUs of the step (all of the job)"),
          value("gpus", "Gg", "N", "the same"),
          value("gpus-per-node", "", "N", "the same on one machine"),
          value("gpus-per-task", "", "N", "GPUs of its own for each task"),
          value(
              "gpu-bind",
              "",
              "TYPE",
              "spread, single:N, per_task:N, map_gpu:LIST, mask_gpu:LIST, none"),
          value("mem", "", "SIZE", "memory of the step (all of the job); 0 shares it"),
          value("mem-per-cpu", "", "SIZE", "memory for each CPU of the step"));

  /** Of grun alone: srun's {@code --spread} is short for another option. */
  private static final List<Opt> OURS =
      List.of(
          flag(
              "spread",
              "",
              "one GPU for each task, 0,1,2,3,0,1,…; {task} {gpu} {ntasks} {job} {port} are"
                  + " replaced"),
          value("stagger", "", "TIME", "pause between the starts of two tasks, as 0.2s"));

  private static final List<Opt> SCENE =
      List.of(
          value("job-name", "J", "NAME", "name of the step (that of the program)").alias("name"),
          value("output", "o", "FILE", "where stdout goes: a file, none, or the number of a task"),
          value("error", "e", "FILE", "where stderr goes"),
          value("open-mode", "", "append|truncate", "what to do with an older output (truncate)"),
          value("input", "i", "FILE", "where stdin comes from: a file, none, or for which task"),
          value("time", "t", "TIME", "end it after so long, as 10, 1:30:00 or 2-0 (with the job)"),
          value("chdir", "D", "DIR", "folder to run in (this one)"),
          value("export", "", "all|none|NAME[=VALUE],…", "which variables the step gets (all)"),
          flag("preserve-env", "E", "leave the job's SLURM_NTASKS and SLURM_NNODES as they are"),
          flag("label", "l", "put the number of the task before each line"),
          flag(
              "unbuffered",
              "u",
              "also parts of lines, at once; else tasks do not tear each other's lines"),
          optional("kill-on-bad-exit", "K", "0|1", "end all tasks when one of them fails"),
          optional("immediate", "I", "SECONDS", "fail if it cannot run by then (at once)"),
          flag("multi-prog", "", "the word is a file: which tasks run which program"),
          flag("pty", "", "taken, without effect: the program has your terminal anyway"));

  /** Where it runs, if not in the job that it is called in. */
  private static final List<Opt> ELSEWHERE =
      List.of(
          value("jobid", "", "ID", "step into this running job (with --overlap beside its steps)"),
          flag("shell", "", "run your shell: no program is named"));

  public static final String RETRIES = "retries";
  public static final String RETRY_ON = "retry-on";
  public static final String TASK_RETRIES = "task-retries";

  /** Slurm has no words for it. */
  private static final List<Opt> AGAIN =
      List.of(
          value(RETRIES, "", "N", "if it fails, run it again that often, after 1 s, 2 s, 4 s …"),
          value(RETRY_ON, "", "LIST", "after which ends: fail, oom, or any (fail)"),
          value(TASK_RETRIES, "", "N", "the same for each task by itself; the others go on"));

  /** What the parent of a group says besides: to fill in fields, and where to tell how it went. */
  private static final List<Opt> OF_GROUPS = Opt.hidden("fill tally=FILE");

  public static final String FILL = "fill";
  public static final String TALLY = "tally";

  private static final Opt TEST_ONLY =
      flag("test-only", "", "say when it would start as a job, and run nothing");

  /** What scripts say to a cluster; on one machine there is nothing to choose. */
  private static final List<Opt> CLUSTER =
      List.of(
          value("nodes", "N", "1", "there is one"),
          value("cpu-bind", "", "TYPE", "taken, without effect: a step is bound as its job is")
              .alias("cpu_bind"),
          value("distribution", "m", "TYPE", "taken, without effect"),
          value(
              "mpi",
              "",
              "TYPE",
              "pmi2: tasks can be one MPI program (so it is anyway); pmix; none; list"),
          value("partition", "p", "NAME", "taken, without effect"),
          value("account", "A", "NAME", "taken, without effect"),
          value("nodelist", "w", "LIST", "taken, without effect"),
          flag("quiet", "Q", "do not say that it waits"));

  /** What is said to many nodes, or to the daemons on them: it changes nothing on one machine. */
  private static final List<Opt> OF_MANY_NODES =
      Opt.hidden(
          """
          wait,W=SECONDS relative,r=N disable-status,X accel-bind=HOW threads,T=N compress[=TYPE]
          bcast[=FILE] bcast-exclude=PATHS send-libs[=yes|no] resv-ports[=N] slurmd-debug=LEVEL
          msg-timeout=SECONDS quit-on-interrupt whole interactive uid=USER gid=GROUP
          """);

  private StepOptions() {}

  /** {@code command} is grun or srun: the words are the same. */
  public static Grammar grammar(String command) {
    var options =
        new ArrayList<>(
            Stream.of(TASKS, RESOURCES, SCENE, ELSEWHERE, CLUSTER, OF_MANY_NODES)
                .flatMap(List::stream)
                .toList());
    if (!command.equals("srun")) {
      options.addAll(OURS);
      options.addAll(AGAIN);
      options.addAll(OF_GROUPS);
    }
    options.addAll(AllocationOptions.besides(options));
    options.add(TEST_ONLY);
    options.add(Opt.HELP);
    return new Grammar(
        command,
        command.equals("srun") ? "[options] executable [args...]" : "[options] PROGRAM [ARGS…]",
        "Runs a program on your terminal and waits for it. Outside a job it takes an allocation"
            + " first; inside one it is a step, on a part of what the job has, and waits until that"
            + " is free.",
        options,
        true);
  }

  /** How many tasks are asked for, where no job says more. */
  static int tasks(Given given) throws BadInput {
    var reading = new StepReader(given, Environment.of(new byte[0]));
    int tasks = reading.tasks(reading.number("ntasks-per-gpu"));
    boolean said = given.has("ntasks") || given.has("ntasks-per-node");
    OptionalInt perTask = StepReader.count(given.value("gpus-per-task"));
    OptionalInt gpus = StepReader.count(reading.gpuOption());
    return !said && tasks == 1 && perTask.orElse(0) > 0 && gpus.isPresent()
        ? Math.max(1, gpus.getAsInt() / perTask.getAsInt())
        : tasks;
  }

  /** One GPU for each task, in turn. */
  public static boolean isSpread(Given given) {
    return given.has("spread") || given.value("gpu-bind").filter("spread"::equals).isPresent();
  }

  /** Its words have fields that are replaced. */
  public static boolean isFilled(Given given) {
    return isSpread(given) || given.has(FILL);
  }

  /** {@code environment}: the caller's, which is the job's. */
  public static ParsedStep read(Given given, byte[] environment) throws BadInput {
    if (given.words().isEmpty()) {
      throw new BadInput("no program; write grun [options] PROGRAM [ARGS…]");
    }
    return new StepReader(given, Environment.of(environment)).read();
  }
}
