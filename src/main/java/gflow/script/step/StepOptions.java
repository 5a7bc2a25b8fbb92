package gflow.script.step;

import static gflow.script.grammar.Opt.flag;
import static gflow.script.grammar.Opt.optional;
import static gflow.script.grammar.Opt.value;

import gflow.job.StepRequest;
import gflow.job.StepRequest.Bind;
import gflow.job.StepRequest.Gpus;
import gflow.job.StepRequest.Memory;
import gflow.script.env.Environment;
import gflow.script.env.Exports;
import gflow.script.env.StepExports;
import gflow.script.grammar.Given;
import gflow.script.grammar.Grammar;
import gflow.script.grammar.Opt;
import gflow.script.order.GpuOptions;
import gflow.script.value.BadInput;
import gflow.script.value.Sizes;
import gflow.script.value.Times;
import gflow.script.value.WholeNumbers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The options of a step, as srun has them inside a job. What is not said comes from the job's own
 * variables, as there: {@code SLURM_NTASKS}, {@code SLURM_CPUS_PER_TASK}, {@code
 * SLURM_MEM_PER_CPU}, {@code SLURM_GPUS_PER_TASK}.
 */
public final class StepOptions {
  private static final int MOST = StepRequest.MOST;
  private static final Pattern GPUS = Pattern.compile("(?:([A-Za-z][\\w.-]*):)?(\\d{1,5})");

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
          value("gpu-bind", "", "TYPE", "single:N, per_task:N, map_gpu:LIST, mask_gpu:LIST, none"),
          value("mem", "", "SIZE", "memory of the step (all of the job); 0 shares it"),
          value("mem-per-cpu", "", "SIZE", "memory for each CPU of the step"));

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
    var reading = new Reading(given, Environment.of(new byte[0]));
    int tasks = reading.tasks(reading.number("ntasks-per-gpu"));
    boolean said = given.has("ntasks") || given.has("ntasks-per-node");
    OptionalInt perTask = Reading.count(given.value("gpus-per-task"));
    OptionalInt gpus = Reading.count(reading.gpuOption());
    return !said && tasks == 1 && perTask.orElse(0) > 0 && gpus.isPresent()
        ? Math.max(1, gpus.getAsInt() / perTask.getAsInt())
        : tasks;
  }

  /** What one call of grun or srun means. */
  public record Meant(
      StepRequest request,
      Bind bind,
      OptionalInt cpusPerTask,
      Optional<String> name,
      Optional<Duration> timeLimit,
      StepExports exports,
      List<String> words) {
    public Meant {
      words = List.copyOf(words);
    }
  }

  /** {@code environment}: the caller's, which is the job's. */
  public static Meant read(Given given, byte[] environment) throws BadInput {
    if (given.words().isEmpty()) {
      throw new BadInput("no program; write grun [options] PROGRAM [ARGS…]");
    }
    return new Reading(given, Environment.of(environment)).read();
  }

  /** One reading of options and environment. */
  private static final class Reading {
    private final Given given;
    private final Environment job;

    Reading(Given given, Environment job) {
      this.given = given;
      this.job = job;
    }

    Meant read() throws BadInput {
      if (!given.value("nodes").orElse("1").matches("1(-1)?")) {
        throw new BadInput("Only allocated 1 nodes asked for " + given.value("nodes").orElse(""));
      }
      OptionalInt perGpu = number("ntasks-per-gpu");
      OptionalInt cpus = number("cpus-per-task");
      int tasks = tasks(perGpu);
      boolean exact = given.has("exact") || given.has("exclusive") || cpus.isPresent();
      Gpus gpus = gpus(tasks, perGpu);
      int each = cpus.orElse(inherited("SLURM_CPUS_PER_TASK").orElse(1));
      boolean share = given.has("overcommit") || job.value("SLURM_OVERCOMMIT").isPresent();
      var request =
          new StepRequest(
              tasks,
              each,
              exact,
              given.has("overlap"),
              memory(),
              gpus,
              share ? OptionalInt.of(each) : OptionalInt.empty());
      return new Meant(
          request,
          bind(gpus, perGpu),
          cpus,
          given.value("job-name"),
          timeLimit(),
          exports(),
          given.words());
    }

    /** With {@code --preserve-env} the step's own numbers do not replace those of the job. */
    private StepExports exports() throws BadInput {
      StepExports exports = Exports.ofStep(job, given.value("export"));
      return given.has("preserve-env") ? exports.with(job, StepEnvironment.PRESERVED) : exports;
    }

    /** As of a job, 0 is none. */
    private Optional<Duration> timeLimit() throws BadInput {
      Optional<String> text = given.value("time");
      return text.isPresent() ? Times.limit(text.get()) : Optional.empty();
    }

    private int tasks(OptionalInt perGpu) throws BadInput {
      OptionalInt said = number("ntasks");
      OptionalInt perNode = number("ntasks-per-node");
      if (said.isPresent() || perNode.isPresent()) {
        return said.orElse(perNode.orElse(1));
      }
      if (perGpu.isPresent()) {
        int gpus = count(gpuOption()).orElse(inherited("SLURM_GPUS_ON_NODE").orElse(1));
        long all = (long) Math.max(1, gpus) * perGpu.getAsInt();
        return WholeNumbers.between("--ntasks-per-gpu × " + gpus + " GPUs:", "" + all, 1, MOST);
      }
      return inherited("SLURM_NTASKS").orElse(1);
    }

    private OptionalInt number(String name) throws BadInput {
      Optional<String> text = given.value(name);
      return text.isEmpty()
          ? OptionalInt.empty()
          : OptionalInt.of(WholeNumbers.between("--" + name, text.get(), 1, MOST));
    }

    private OptionalInt inherited(String variable) {
      return job.value(variable)
          .filter(text -> text.matches("[1-9]\\d{0,4}"))
          .map(text -> OptionalInt.of(Math.min(MOST, Integer.parseInt(text))))
          .orElse(OptionalInt.empty());
    }

    private Memory memory() throws BadInput {
      Optional<String> whole = given.value("mem");
      Optional<String> perCpu = given.value("mem-per-cpu");
      if (whole.isPresent() && perCpu.isPresent()) {
        throw new BadInput("--mem and --mem-per-cpu are mutually exclusive.");
      }
      if (whole.isPresent()) {
        long bytes = Sizes.parse(whole.get());
        return bytes == 0 ? new Memory.Shared() : new Memory.Bytes(bytes);
      }
      if (perCpu.isPresent()) {
        return new Memory.PerCpu(Sizes.parse(perCpu.get()));
      }
      OptionalInt inherited = inherited("SLURM_MEM_PER_CPU");
      return inherited.isPresent()
          ? new Memory.PerCpu((long) inherited.getAsInt() << 20)
          : new Memory.OfTheJob();
    }

    private Optional<String> gpuOption() throws BadInput {
      Optional<String> gres = given.value("gres");
      if (gres.isEmpty()) {
        if (given.has("gpus-per-socket")) {
          throw new BadInput("--gpus-per-socket is for a job; a step says --gpus or --gres=gpu:2");
        }
        return given.value("gpus").or(() -> given.value("gpus-per-node"));
      }
      if (gres.get().equalsIgnoreCase("none")
          || GpuOptions.NONE_OF_IT.matcher(gres.get()).matches()) {
        return Optional.of("none");
      }
      if (!gres.get().matches("gpu(:.+)?")) {
        throw badGpus(gres.get());
      }
      return Optional.of(gres.get().equals("gpu") ? "1" : gres.get().substring(4));
    }

    private static OptionalInt count(Optional<String> option) throws BadInput {
      Matcher match = GPUS.matcher(option.orElse(""));
      return match.matches() ? OptionalInt.of(gpuCount(match)) : OptionalInt.empty();
    }

    private static int gpuCount(Matcher match) throws BadInput {
      return WholeNumbers.between("GPUs", match.group(2), 0, MOST);
    }

    private Gpus gpus(int tasks, OptionalInt tasksPerGpu) throws BadInput {
      Optional<String> option = gpuOption();
      OptionalInt perTask = perTask();
      if (option.isPresent()) {
        return gpus(option.get());
      }
      if (perTask.isPresent()) {
        return new Gpus.PerTask(perTask.getAsInt());
      }
      return tasksPerGpu.isPresent()
          ? new Gpus.Count(Math.ceilDiv(tasks, tasksPerGpu.getAsInt()), Optional.empty())
          : new Gpus.OfTheJob();
    }

    private OptionalInt perTask() throws BadInput {
      Optional<String> text = given.value("gpus-per-task");
      if (text.isEmpty()) {
        return gpuOption().isPresent() ? OptionalInt.empty() : inherited("SLURM_GPUS_PER_TASK");
      }
      OptionalInt count = count(text);
      if (count.isEmpty()) {
        throw badGpus(text.get());
      }
      return count;
    }

    private static Gpus gpus(String text) throws BadInput {
      if (text.equalsIgnoreCase("none")) {
        return new Gpus.None();
      }
      Matcher match = GPUS.matcher(text);
      if (!match.matches()) {
        throw badGpus(text);
      }
      int count = gpuCount(match);
      return count == 0
          ? new Gpus.None()
          : new Gpus.Count(count, Optional.ofNullable(match.group(1)));
    }

    private static BadInput badGpus(String text) {
      return new BadInput("GPUs '" + text + "' are not understood; write --gres=gpu:2 or none");
    }

    // ---- which task sees which GPU ----

    private Bind bind(Gpus gpus, OptionalInt tasksPerGpu) throws BadInput {
      Optional<String> said = given.value("gpu-bind").map(t -> t.replaceFirst("^verbose,?", ""));
      if (said.isPresent() && !said.get().isEmpty()) {
        return bind(said.get());
      }
      if (gpus instanceof Gpus.PerTask(int count)) {
        return new Bind.PerTask(count);
      }
      OptionalInt sharing =
          tasksPerGpu.isPresent() ? tasksPerGpu : inherited("SLURM_NTASKS_PER_GPU");
      return sharing.isPresent() ? new Bind.Single(sharing.getAsInt()) : new Bind.All();
    }

    private static Bind bind(String text) throws BadInput {
      int colon = text.indexOf(':');
      String kind = colon < 0 ? text : text.substring(0, colon);
      String rest = colon < 0 ? "" : text.substring(colon + 1);
      return switch (kind) {
        case "none", "closest" -> new Bind.All();
        case "single" -> new Bind.Single(WholeNumbers.between("--gpu-bind", rest, 1, MOST));
        case "per_task" -> new Bind.PerTask(WholeNumbers.between("--gpu-bind", rest, 1, MOST));
        case "map_gpu" -> new Bind.Map(places(rest, false));
        case "mask_gpu" -> new Bind.Map(places(rest, true));
        default ->
            throw new BadInput(
                "--gpu-bind '" + text + "' is not understood; write single:1 or map_gpu:0,1");
      };
    }

    private static List<List<Integer>> places(String list, boolean masks) throws BadInput {
      var all = new ArrayList<List<Integer>>();
      for (String part : list.split(",", -1)) {
        try {
          long number = Long.decode(part);
          all.add(masks ? bits(number) : List.of(place(number)));
        } catch (NumberFormatException e) {
          throw new BadInput("--gpu-bind '" + part + "' is no number");
        }
      }
      return all;
    }

    private static int place(long number) throws BadInput {
      return WholeNumbers.between("--gpu-bind", Long.toString(number), 0, MOST);
    }

    private static List<Integer> bits(long mask) {
      var places = new ArrayList<Integer>();
      for (int i = 0; i < Long.SIZE; i++) {
        if ((mask >> i & 1) == 1) {
          places.add(i);
        }
      }
      return places;
    }
  }
}
