package gflow.script.order;

import static gflow.job.RequestedOptions.CPUS_PER_GPU;
import static gflow.job.RequestedOptions.CPUS_PER_TASK;
import static gflow.job.RequestedOptions.EXCLUSIVE;
import static gflow.job.RequestedOptions.GPUS;
import static gflow.job.RequestedOptions.GPUS_PER_NODE;
import static gflow.job.RequestedOptions.GPUS_PER_TASK;
import static gflow.job.RequestedOptions.GRES;
import static gflow.job.RequestedOptions.MEM;
import static gflow.job.RequestedOptions.MEM_PER_CPU;
import static gflow.job.RequestedOptions.MEM_PER_GPU;
import static gflow.job.RequestedOptions.MINCPUS;
import static gflow.job.RequestedOptions.NTASKS;
import static gflow.job.RequestedOptions.NTASKS_PER_GPU;
import static gflow.job.RequestedOptions.NTASKS_PER_NODE;
import static gflow.job.RequestedOptions.OVERCOMMIT;

import gflow.job.GpuRequest;
import gflow.job.Request;
import gflow.script.grammar.Given;
import gflow.script.value.BadInput;
import gflow.script.value.GpuSyntax;
import gflow.script.value.GpuSyntax.Wanted;
import gflow.script.value.Sizes;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the options about tasks, CPUs, memory and GPUs come to on one machine, as Slurm reckons on
 * one node; and how they were asked for.
 */
final class ResourceTotals {
  private static final int MOST_CPUS = 65_536;
  private static final long MOST_MEMORY = 1L << 50;
  private static final long MB = 1L << 20;
  private static final List<String> MEMORY = List.of(MEM, MEM_PER_CPU, MEM_PER_GPU);
  private static final List<String> AS_WRITTEN = List.of(GPUS, GRES, GPUS_PER_NODE, GPUS_PER_TASK);
  private static final List<String> NUMBERS =
      List.of(NTASKS_PER_NODE, NTASKS_PER_GPU, CPUS_PER_TASK, CPUS_PER_GPU, MINCPUS);

  private final Given given;
  private final Wanted named;
  private final OptionalInt tasks;

  private ResourceTotals(Given given) throws BadInput {
    this.given = given;
    named = given.about(GpuOptions.NAMES, () -> GpuOptions.wanted(given));
    tasks = new TaskCount(given, named.request().count()).tasks();
  }

  static ResourceTotals of(Given given) throws BadInput {
    Nodes.check(given);
    var totals = new ResourceTotals(given);
    totals.refuseTwoAnswers(MEMORY);
    totals.refuseTwoAnswers(List.of(CPUS_PER_TASK, CPUS_PER_GPU));
    return totals;
  }

  /** Slurm refuses these too: it would have to guess which was meant. */
  private void refuseTwoAnswers(List<String> names) throws BadInput {
    List<String> both = names.stream().filter(name -> given.value(name).isPresent()).toList();
    if (both.size() > 1) {
      throw given.bad(
          both, "--" + String.join(" and --", both) + " exclude each other; give one of them");
    }
  }

  Request request() throws BadInput {
    Wanted gpus = gpus();
    int ntasks = sharesCpus() ? 1 : tasks.orElse(1);
    int cpus = cpus(ntasks, gpus.request().count());
    // In the books only the product counts; a remainder cannot be split among tasks.
    boolean even = cpus % ntasks == 0;
    var filter = given.about(GpuOptions.NAMES, () -> GpuOptions.filter(given, gpus));
    var counted =
        new Request(even ? ntasks : 1, even ? cpus / ntasks : cpus, 0, gpus.request(), filter);
    return counted.withMemory(memory(counted)).upTo(gpus.most());
  }

  /** Tasks that are spread are mostly more than the CPUs: they have their own if that is said. */
  private boolean sharesCpus() {
    boolean said = given.has(CPUS_PER_TASK) || given.has(CPUS_PER_GPU);
    return given.has(OVERCOMMIT) || (TaskCount.isSpread(given) && !said);
  }

  /** All ways to ask for GPUs must come to the same. */
  private Wanted gpus() throws BadInput {
    Optional<Wanted> derived = perTask().or(this::perGpu);
    if (derived.isEmpty()) {
      return named;
    }
    boolean silent = named.request() instanceof GpuRequest.None && !given.has(GPUS);
    if (!silent && !named.request().equals(derived.get().request())) {
      throw disagree(derived.get().request().count());
    }
    int most = Math.max(named.most(), derived.get().most());
    return new Wanted(derived.get().request(), named.type().or(derived.get()::type), most);
  }

  private Optional<Wanted> perTask() throws BadInput {
    Optional<Wanted> each = given.read(GPUS_PER_TASK, text -> GpuSyntax.perTask(text, tasks));
    return each.isEmpty() ? each : Optional.of(each.get().times(tasks.orElse(1)));
  }

  private Optional<Wanted> perGpu() {
    int each = perGpuCount();
    return each == 0 || !(named.request() instanceof GpuRequest.None)
        ? Optional.empty()
        : Optional.of(Wanted.whole(Math.ceilDiv(tasks.orElse(1), each)));
  }

  private int perGpuCount() {
    // Its form was checked when the tasks were counted.
    return given.value(NTASKS_PER_GPU).map(text -> Integer.parseInt(text.strip())).orElse(0);
  }

  private BadInput disagree(int count) {
    String how =
        GpuOptions.COUNTS.stream()
            .filter(name -> given.value(name).isPresent())
            .map(name -> "--" + name + " " + given.value(name).orElse(""))
            .findFirst()
            .orElse("--gpu-ids " + given.value("gpu-ids").orElse(""));
    return given.bad(
        List.of(GPUS, GRES, GPUS_PER_NODE, GPUS_PER_TASK, NTASKS),
        "%s and --gpus-per-task %s × %d tasks (%d GPUs) disagree; change one of them"
            .formatted(how, given.value(GPUS_PER_TASK).orElse(""), tasks.orElse(1), count));
  }

  /** 0 = none were asked for. */
  private int cpus(int ntasks, int gpus) throws BadInput {
    int perTask = given.number(CPUS_PER_TASK, 1, MOST_CPUS, 0);
    int perGpu = given.number(CPUS_PER_GPU, 1, MOST_CPUS, 0);
    long total = perGpu > 0 && gpus > 0 ? Math.max(ntasks, (long) perGpu * gpus) : 0;
    if (perTask > 0) {
      total = (long) ntasks * perTask;
    }
    total = Math.max(total, given.number(MINCPUS, 1, MOST_CPUS, 0));
    if (total > MOST_CPUS) {
      String how =
          perTask > 0
              ? "--ntasks " + ntasks + " × --cpus-per-task " + perTask
              : gpus + " GPUs × --cpus-per-gpu " + perGpu;
      throw new BadInput(how + " are more than " + MOST_CPUS + " CPUs; ask for fewer");
    }
    return (int) total;
  }

  private long memory(Request counted) throws BadInput {
    int gpus = counted.gpus().count();
    if (given.value(MEM_PER_GPU).isPresent() && gpus == 0) {
      throw given.bad(
          List.of(MEM_PER_GPU), "--mem-per-gpu without a GPU; add --gpus 1 or write --mem");
    }
    long total = 0;
    for (String name : MEMORY) {
      long times = name.equals(MEM) ? 1 : name.equals(MEM_PER_GPU) ? gpus : counted.cpusOnNode();
      total += given.read(name, text -> times(name, megabytes(text), times)).orElse(0L);
    }
    return total * MB;
  }

  private static long times(String name, long megabytes, long times) throws BadInput {
    if (megabytes > MOST_MEMORY / MB / times) {
      throw new BadInput("--" + name + " × " + times + " is more than 1024T; ask for less");
    }
    return megabytes * times;
  }

  /** As Slurm, in whole megabytes, rounded up. */
  private static long megabytes(String text) throws BadInput {
    return Math.ceilDiv(Sizes.parse(text), MB);
  }

  /** How it was asked for. */
  SortedMap<String, String> asked() throws BadInput {
    var asked = new TreeMap<String, String>();
    tasks.ifPresent(count -> asked.put(NTASKS, Integer.toString(count)));
    for (String name : NUMBERS) {
      if (given.value(name).isPresent()) {
        asked.put(name, Integer.toString(given.number(name, 1, MOST_CPUS, 1)));
      }
    }
    for (String name : MEMORY) {
      given
          .read(name, ResourceTotals::megabytes)
          .ifPresent(count -> asked.put(name, Long.toString(count)));
    }
    for (String name : AS_WRITTEN) {
      // A part of a GPU is nothing that Slurm or a step would know.
      given
          .value(name)
          .filter(text -> text.indexOf('.') < 0)
          .ifPresent(text -> asked.put(name, GpuSyntax.base(text)));
    }
    if (sharesCpus()) {
      asked.put(OVERCOMMIT, "");
    }
    if (given.has(EXCLUSIVE)) {
      asked.put(EXCLUSIVE, given.read(EXCLUSIVE, Nodes::exclusive).orElse(""));
    }
    return asked;
  }
}
