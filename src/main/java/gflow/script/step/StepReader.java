package gflow.script.step;

import gflow.job.StepRequest;
import gflow.job.StepRequest.Bind;
import gflow.job.StepRequest.Gpus;
import gflow.job.StepRequest.Memory;
import gflow.script.env.Environment;
import gflow.script.env.Exports;
import gflow.script.env.StepExports;
import gflow.script.grammar.Given;
import gflow.script.value.BadInput;
import gflow.script.value.GpuSyntax;
import gflow.script.value.Sizes;
import gflow.script.value.Times;
import gflow.script.value.WholeNumbers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what one call of grun or srun asks for, from its options and the job's environment. */
record StepReader(Given given, Environment job) {
  private static final int MOST = StepRequest.MOST;
  static final String NO_GPUS = "--spread is over the GPUs of a job; add --gpus N";
  private static final String NO_MPS =
      "--mps in a job without it: the job must have a server first; submit it with gbatch --mps,"
          + " or write '#SBATCH --mps' into its script";

  /** With simulated GPUs there is nothing to have. */
  private static final List<String> MPS =
      List.of("CUDA_MPS_PIPE_DIRECTORY", "GFLOW_SIMULATED_GPUS");

  private static final Pattern GPUS = Pattern.compile("(?:([A-Za-z][\\w.-]*):)?(\\d{1,5})");

  ParsedStep read() throws BadInput {
    if (!given.value("nodes").orElse("1").matches("1(-1)?")) {
      throw new BadInput("Only allocated 1 nodes asked for " + given.value("nodes").orElse(""));
    }
    if (given.has("mps") && MPS.stream().noneMatch(name -> job.value(name).isPresent())) {
      throw new BadInput(NO_MPS);
    }
    OptionalInt perGpu = number("ntasks-per-gpu");
    OptionalInt cpus = number("cpus-per-task");
    int tasks = tasks(perGpu);
    boolean exact = given.has("exact") || given.has("exclusive") || cpus.isPresent();
    Gpus gpus = gpus(tasks, perGpu);
    int each = cpus.orElse(inherited("SLURM_CPUS_PER_TASK").orElse(1));
    boolean share = sharesCpus(cpus);
    var request =
        new StepRequest(
            tasks,
            each,
            exact,
            given.has("overlap"),
            memory(),
            gpus,
            share ? OptionalInt.of(each) : OptionalInt.empty());
    return new ParsedStep(
        request,
        bind(gpus, perGpu),
        cpus,
        given.value("job-name"),
        timeLimit(),
        given.read("stagger", Times::pause).orElse(Duration.ZERO),
        exports(),
        given.words());
  }

  /** Tasks that are spread are mostly more than the CPUs: they have their own if that is said. */
  private boolean sharesCpus(OptionalInt cpus) {
    return given.has("overcommit")
        || job.value("SLURM_OVERCOMMIT").isPresent()
        || (StepOptions.isSpread(given) && cpus.isEmpty());
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

  int tasks(OptionalInt perGpu) throws BadInput {
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
    int each =
        StepOptions.isSpread(given)
            ? count(gpuOption()).orElse(inherited("SLURM_GPUS_ON_NODE").orElse(1))
            : 1;
    return inherited("SLURM_NTASKS").orElse(Math.max(1, each));
  }

  OptionalInt number(String name) throws BadInput {
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

  Optional<String> gpuOption() throws BadInput {
    Optional<String> gres = given.value("gres");
    if (gres.isEmpty()) {
      if (given.has("gpus-per-socket")) {
        throw new BadInput("--gpus-per-socket is for a job; a step says --gpus or --gres=gpu:2");
      }
      return given.value("gpus").or(() -> given.value("gpus-per-node"));
    }
    if (gres.get().equalsIgnoreCase("none") || GpuSyntax.NONE_OF_IT.matcher(gres.get()).matches()) {
      return Optional.of("none");
    }
    if (!gres.get().matches("gpu(:.+)?")) {
      throw badGpus(gres.get());
    }
    return Optional.of(gres.get().equals("gpu") ? "1" : gres.get().substring(4));
  }

  static OptionalInt count(Optional<String> option) throws BadInput {
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
      throw new BadInput(
          "gpus-per-task '%s' is no number of whole GPUs; tasks share them by --gpu-bind=spread"
              .formatted(text.get()));
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

  private Bind bind(Gpus gpus, OptionalInt tasksPerGpu) throws BadInput {
    if (StepOptions.isSpread(given)) {
      return spread(gpus, given.value("gpu-bind").filter(how -> !how.equals("spread")));
    }
    boolean other = given.has("gpus-per-task") || tasksPerGpu.isPresent();
    Optional<String> said =
        given.value("gpu-bind").or(() -> other ? Optional.empty() : job.value("SLURM_GPU_BIND"));
    if (said.filter(how -> !how.matches("(verbose,?)?")).isPresent()) {
      return bind(said.get().replaceFirst("^verbose,", ""));
    }
    if (gpus instanceof Gpus.PerTask(int count)) {
      return new Bind.PerTask(count);
    }
    OptionalInt sharing = tasksPerGpu.isPresent() ? tasksPerGpu : inherited("SLURM_NTASKS_PER_GPU");
    return sharing.isPresent() ? new Bind.Single(sharing.getAsInt()) : new Bind.All();
  }

  /** One on each GPU, and then again from the first: at most one more here than there. */
  private Bind spread(Gpus gpus, Optional<String> otherwise) throws BadInput {
    boolean none = gpus instanceof Gpus.OfTheJob && inherited("SLURM_GPUS_ON_NODE").isEmpty();
    if (gpus instanceof Gpus.None || (none && job.value("GFLOW_MARK").isPresent())) {
      throw new BadInput(NO_GPUS);
    }
    if (otherwise.isPresent() || given.has("gpus-per-task") || given.has("ntasks-per-gpu")) {
      throw new BadInput(
          "--spread gives each task one GPU in turn; leave out "
              + otherwise
                  .map(how -> "--gpu-bind " + how)
                  .orElse(given.has("gpus-per-task") ? "--gpus-per-task" : "--ntasks-per-gpu"));
    }
    return new Bind.Single(1);
  }

  private static Bind bind(String text) throws BadInput {
    int colon = text.indexOf(':');
    String kind = colon < 0 ? text : text.substring(0, colon);
    String rest = colon < 0 ? "" : text.substring(colon + 1);
    return switch (kind) {
      case "none", "closest" -> new Bind.All();
      case "spread" -> new Bind.Single(1);
      case "single" -> new Bind.Single(WholeNumbers.between("--gpu-bind", rest, 1, MOST));
      case "per_task" -> new Bind.PerTask(WholeNumbers.between("--gpu-bind", rest, 1, MOST));
      case "map_gpu" -> new Bind.Map(places(rest, false));
      case "mask_gpu" -> new Bind.Map(places(rest, true));
      default ->
          throw new BadInput(
              "--gpu-bind '" + text + "' is not understood; write spread, single:1 or map_gpu:0,1");
    };
  }

  private static List<List<Integer>> places(String list, boolean masks) throws BadInput {
    var all = new ArrayList<List<Integer>>();
    for (String part : list.split(",", -1)) {
      try {
        // 0*4 is four times the same.
        String[] times = part.split("\\*", 2);
        long number = Long.decode(times[0]);
        int count = WholeNumbers.between("--gpu-bind", times.length > 1 ? times[1] : "1", 1, MOST);
        List<Integer> one = masks ? bits(number) : List.of(place(number));
        all.addAll(Collections.nCopies(Math.min(count, MOST - all.size()), one));
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
    return BitSet.valueOf(new long[] {mask}).stream().boxed().toList();
  }
}
