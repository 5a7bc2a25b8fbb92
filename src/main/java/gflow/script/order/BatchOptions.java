package gflow.script.order;

import static gflow.script.grammar.Opt.flag;
import static gflow.script.grammar.Opt.optional;
import static gflow.script.grammar.Opt.value;

import gflow.job.RequestedOptions;
import gflow.script.grammar.Given;
import gflow.script.grammar.Grammar;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The options of a submission: of {@code gbatch}, of directives, and of an order's JSON. */
public final class BatchOptions {
  private static final List<Opt> RESOURCES =
      List.of(
          value(
              "gpus",
              "Gg",
              "N",
              "GPUs: 2 whole ones, a100:2 of a type, 1/4 of one, 1-8 as many as are free"),
          value("gpu-memory", "", "SIZE", "memory on each GPU, of which others may have the rest"),
          value(
              RequestedOptions.GPU_MEMORY_LIMIT,
              "",
              "mark|enforce",
              "what becomes of a job that uses more of it (mark); enforce: it is ended"),
          value(
              RequestedOptions.GPU_LOG,
              "",
              "FILE[:SECONDS]",
              "write what its GPUs do into a CSV file, every 10 s; %j id, %A_%a, %x name"),
          flag("shared", "", "share the GPU with others; --gpu-memory and parts do so anyway"),
          value("placement", "", "auto|spread|pack", "where parts of GPUs go"),
          flag("fence", "", "hide other GPUs from the job: its own count from 0"),
          flag("no-fence", "", "show it all GPUs, by the machine's numbers"),
          flag("mps", "", "let its programs share GPUs by NVIDIA's MPS: many small ones run faster")
              .alias("nvmps", "gpu-mps"),
          flag("no-mps", "", "never, though several of its programs are on a GPU"),
          value("gres", "", "gpu[:TYPE]:N", "GPUs in Slurm's words"),
          value("gpus-per-node", "", "[TYPE:]N", "the same as --gpus, as there is one node"),
          value("gpus-per-task", "", "[TYPE:]N", "GPUs for each task (with --ntasks or --gpus)"),
          value("gpu-type", "", "TYPE", "only GPUs whose model has this word, as a100"),
          value("gpu-ids", "", "LIST", "only these GPUs, as 0,2 or 0-3"),
          value("exclude-gpus", "", "LIST", "not these GPUs"),
          value("cpus-per-task", "c", "N", "CPUs for each task; the job is bound to them"),
          value("cpus-per-gpu", "", "N", "CPUs for each GPU"),
          value("ntasks", "n", "N", "tasks that run side by side in the job"),
          value("ntasks-per-node", "", "N", "the same as --ntasks; with it, the most of them")
              .alias("tasks-per-node"),
          value("ntasks-per-gpu", "", "N", "tasks for each GPU (with --gpus or --ntasks)"),
          value("nodes", "N", "1", "there is one machine; more is refused"),
          optional("exclusive", "", "user|mcs|topo", "all GPUs and CPUs of the machine"),
          value("mem", "", "SIZE", "memory of the machine: 4G, 500M, bare: MB, 0: all of it")
              .alias("memory"),
          value("mem-per-cpu", "", "SIZE", "memory for each CPU"),
          value("mem-per-gpu", "", "SIZE", "memory of the machine for each GPU"));

  /** Hidden: what a job is told that came by one of Slurm's names. */
  public static final String SLURM = RequestedOptions.SLURM;

  /** The job's program is its tasks; in a script's own lines it is for the steps in it. */
  public static final String SPREAD = RequestedOptions.SPREAD;

  public static final String STAGGER = RequestedOptions.STAGGER;

  private static final List<Opt> TERMS =
      List.of(
          value("time", "t", "TIME", "time limit: 30 (minutes), 4:00:00, 1-12, 90s, 2h, unlimited")
              .alias("time-limit", "timelimit"),
          value("signal", "", "[B:]SIG[@SECONDS]", "send it before the time is up (60); B: script"),
          value("priority", "", "N", "0 to 255, higher first (10)"),
          flag("hold", "H", "wait until gjob release"),
          value("begin", "b", "TIME", "not before: 16:00, tomorrow, now+1hour, 2026-11-15T08:00"),
          value("depends-on", "", "ID[,ID…]", "start after these ended well; @ is the last job"),
          value(
              "dependency", "d", "LIST", "afterok:1:2,afterany:3, after:4+5, singleton; ? for any"),
          value("kill-on-invalid-dep", "", "yes|no", "cancel it if that can never be (yes)"),
          value("retries", "", "N", "try again that often, after a pause that grows")
              .alias("max-retries"),
          value("retry-on", "", "LIST", "after which ends: " + RetrySyntax.WORDS + " (fail)"),
          flag("requeue", "", "the same as --retry-on node,preempt"),
          flag("no-requeue", "", "nothing of it runs twice unless --retries says so"),
          value("grace", "", "TIME", "time between TERM and KILL (10s; 30s if it speaks Slurm)"),
          flag(SLURM, "", ""));

  private static final List<Opt> TASKS =
      List.of(
          value("array", "a", "LIST", "one task for each index: 0-31, 1,5,7, 0-30:2, 0-99%4"),
          value("param", "", "NAME=VALUES", "one task for each value: lr=0.1,0.01, seed=1:5")
              .repeated(),
          value("param-file", "", "FILE", "one task for each row of a CSV file with a header"),
          value("max-concurrent", "", "N", "at most that many tasks at a time"),
          flag(
              SPREAD,
              "",
              "run the program --ntasks times side by side, each on one of the job's GPUs, in"
                  + " turn"),
          value(STAGGER, "", "TIME", "pause between the starts of two of them, as 0.2s"));

  private static final List<Opt> SCENE =
      List.of(
          value("name", "J", "NAME", "name of the job (that of the script or program)")
              .alias("job-name"),
          value("output", "o", "FILE", "where stdout goes (none: nowhere); %j id, %A_%a, %x name"),
          value("error", "e", "FILE", "where stderr goes (to the output)"),
          value("input", "i", "FILE", "where stdin comes from (nowhere)"),
          value("open-mode", "", "append|truncate", "what to do with an older output (append)"),
          value("chdir", "D", "DIR", "folder to run in (this one)"),
          value("export", "", "all|none|NAME[=VALUE],…", "which variables the job gets (all)"),
          value("conda-env", "", "NAME", "conda environment to run in"),
          value("config", "", "FILE", "copy this file; GFLOW_JOB_CONFIG names the copy"),
          value("wrap", "", "LINE", "run this line with sh"));

  private static final List<Opt> LABELS =
      List.of(
          value("project", "P", "NAME", "project, for limits and statistics"),
          value("comment", "", "TEXT", "a note that is kept with the job"),
          value("account", "A", "NAME", "kept as a label"),
          value(
              "partition",
              "p",
              "NAME",
              "one that the config defines; a label where it defines none"),
          value("qos", "q", "NAME", "kept as a label"),
          value("constraint", "C", "TEXT", "kept as a label"),
          value("mail-type", "", "LIST", "kept as a label"),
          value("mail-user", "", "ADDRESS", "kept as a label"),
          optional("nice", "", "N", "kept as a label; use --priority"),
          value("nodelist", "w", "NAMES", "this machine; others are refused"),
          value("exclude", "x", "NAMES", "kept as a label"),
          value("reservation", "", "NAME", "kept as a label"),
          value("licenses", "L", "LIST", "kept as a label"),
          value("gpu-bind", "", "HOW", "kept for the steps"),
          value("cpu-bind", "", "HOW", "kept for the steps"),
          flag("overcommit", "O", "more tasks than CPUs: all share those of one task (-c)"),
          flag("overlap", "", "kept for the steps"),
          flag("exact", "", "kept for the steps"),
          optional("immediate", "I", "SECONDS", "kept as a label"),
          flag("verbose", "v", "").repeated());

  /** Hidden: the job is there for a program that runs elsewhere, and has no script of its own. */
  public static final String ALLOCATION = "allocation";

  /** What Slurm's users write now and then and one machine has no use for. Kept as labels too. */
  private static final List<Opt> SELDOM =
      Opt.hidden(
          """
          acctg-freq=TEXT allocation bb=TEXT clusters,M=NAMES container=PATH contiguous
          core-spec,S=N cores-per-socket=N cpu-freq=TEXT deadline=TIME delay-boot=MINUTES
          distribution,m=HOW extra-node-info,B=TEXT get-user-env[=TEXT] gpu-freq=TEXT
          gpus-per-socket=N gres-flags=TEXT hint=TEXT ignore-pbs mcs-label=TEXT mem-bind=HOW
          mincpus=N network=TEXT no-kill,k[=off] ntasks-per-core=N ntasks-per-socket=N
          oversubscribe/share,s power=TEXT prefer=TEXT profile=TEXT propagate[=TEXT] reboot
          sockets-per-node=N spread-job switches=TEXT thread-spec=N threads-per-core=N time-min=TIME
          tmp=SIZE tres-per-task=TEXT use-min-nodes wckey=TEXT
          """);

  /** Options of a step: a job has no use for them, and to drop them would change what runs. */
  private static final List<Opt> STEP =
      Opt.hidden(
          """
          multi-prog label,l unbuffered,u kill-on-bad-exit,K[=0|1] pty jobid=ID mpi=TYPE
          het-group=LIST
          """);

  private static final List<Opt> CALL =
      List.of(
          flag("wait", "W", "return when the job is over, with its exit code"),
          value("group", "", "FILE", "submit the server and its clients that this file describes"),
          value("from", "", "FILE", "submit the JSON orders in this file (-: stdin), one a line"),
          flag("dry-run", "", "say what would be submitted, and submit nothing").alias("test-only"),
          flag("json", "", "answer in JSON"),
          flag("parsable", "", "print only the id"),
          flag("quiet", "Q", "print nothing but errors and the id"),
          Opt.HELP,
          value("conda-prefix", "", "DIR", ""));

  private static final Set<String> RESOURCE_NAMES =
      Stream.concat(RESOURCES.stream().map(Opt::name), Stream.of("time", "array"))
          .collect(Collectors.toUnmodifiableSet());

  /** Whether a job asks by it for a part of the machine, or for how long, or how often. */
  public static boolean isResource(String name) {
    return RESOURCE_NAMES.contains(name);
  }

  public static final Grammar GRAMMAR =
      new Grammar(
          "gbatch",
          "[options] SCRIPT|COMMAND [ARGS…]",
          "Submits a script or a command as a job. Options may also stand in the script, as"
              + " #SBATCH or # GFLOW lines.",
          Stream.of(RESOURCES, TERMS, TASKS, SCENE, LABELS, CALL, SELDOM, STEP)
              .flatMap(List::stream)
              .toList(),
          true);

  /** Options that say how to call, not what to run: they are no part of an order. */
  public static boolean ofTheCall(String name) {
    return !name.equals("conda-prefix") && CALL.stream().anyMatch(o -> o.name().equals(name));
  }

  /** Some of them, for a command whose work becomes a job. */
  public static List<Opt> some(List<String> names) {
    return GRAMMAR.options().stream().filter(option -> names.contains(option.name())).toList();
  }

  /** Those of them that Slurm reads in a script too. */
  public static final List<String> CALL_IN_SCRIPT = List.of("wait", "parsable", "quiet");

  public static List<Opt> labels() {
    return Stream.of(LABELS, SELDOM).flatMap(List::stream).toList();
  }

  /** Refuses what is no option of a job, and says where it belongs. */
  static void check(Given given) throws BadInput {
    boolean tasks = given.has(SPREAD);
    if (given.has(STAGGER) && !tasks) {
      throw given.bad(
          List.of(STAGGER), "--stagger is for tasks that --spread starts; add --spread");
    }
    for (Opt option : STEP) {
      boolean ofTasks = tasks && option.name().equals(RequestedOptions.KILL_ON_BAD_EXIT);
      if (given.has(option.name()) && !ofTasks) {
        throw given.bad(
            List.of(option.name()),
            "--" + option.name() + " is an option of a step; write it after grun or srun");
      }
    }
  }

  private BatchOptions() {}
}
