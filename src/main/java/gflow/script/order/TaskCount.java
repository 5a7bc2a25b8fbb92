package gflow.script.order;

import static gflow.job.RequestedOptions.GPUS;
import static gflow.job.RequestedOptions.GPUS_PER_TASK;
import static gflow.job.RequestedOptions.NTASKS;
import static gflow.job.RequestedOptions.NTASKS_PER_GPU;
import static gflow.job.RequestedOptions.NTASKS_PER_NODE;

import gflow.script.grammar.Given;
import gflow.script.value.BadInput;
import gflow.script.value.GpuSyntax;
import gflow.script.value.WholeNumbers;
import java.util.List;
import java.util.OptionalInt;

/** How many tasks a job has, if any option says so. {@code gpus}: those asked for by number. */
record TaskCount(Given given, int gpus) {
  private static final int MOST = 65_536;

  OptionalInt tasks() throws BadInput {
    if (isSpread(given)) {
      given.about(List.of(BatchOptions.SPREAD, "gpu-bind"), this::overSome);
    }
    int named = given.number(NTASKS, 1, MOST, 0);
    int perNode = given.number(NTASKS_PER_NODE, 1, MOST, 0);
    int perGpu = given.number(NTASKS_PER_GPU, 1, MOST, 0);
    if (named > 0) {
      given.about(
          List.of(NTASKS, NTASKS_PER_NODE, NTASKS_PER_GPU), () -> fits(named, perNode, perGpu));
      return OptionalInt.of(named);
    }
    if (perNode > 0) {
      return OptionalInt.of(perNode);
    }
    if (perGpu > 0) {
      return OptionalInt.of(given.about(List.of(NTASKS_PER_GPU), () -> onGpus(perGpu)));
    }
    if (isSpread(given)) {
      return OptionalInt.of(gpus);
    }
    return given.value(GPUS_PER_TASK).isPresent()
        ? OptionalInt.of(given.about(List.of(GPUS_PER_TASK), this::byGpus))
        : OptionalInt.empty();
  }

  /** One GPU for each task, in turn: by the job itself, or by its steps. */
  static boolean isSpread(Given given) {
    return given.has(BatchOptions.SPREAD)
        || given.value("gpu-bind").filter("spread"::equals).isPresent();
  }

  private boolean overSome() throws BadInput {
    boolean each = given.has(GPUS_PER_TASK) || given.has(NTASKS_PER_GPU);
    if (gpus == 0 || each) {
      throw new BadInput(
          each
              ? "--spread gives each task one GPU in turn; write --gpus and --ntasks"
              : "--spread is over the GPUs of a job; add --gpus N");
    }
    return true;
  }

  private int fits(int tasks, int perNode, int perGpu) throws BadInput {
    if (perNode > 0 && tasks > perNode) {
      throw new BadInput(
          "--ntasks %d with --ntasks-per-node %d needs %d nodes, and this is one machine; raise"
                  .formatted(tasks, perNode, Math.ceilDiv(tasks, perNode))
              + " --ntasks-per-node");
    }
    if (perGpu > 0 && gpus > 0 && tasks != perGpu * gpus) {
      throw new BadInput(
          "--ntasks %d and --ntasks-per-gpu %d on %d GPUs disagree; leave out --ntasks"
              .formatted(tasks, perGpu, gpus));
    }
    return tasks;
  }

  private int onGpus(int perGpu) throws BadInput {
    if (gpus == 0) {
      throw new BadInput("--ntasks-per-gpu needs --gpus or --ntasks; add --gpus 1");
    }
    long all = (long) perGpu * gpus;
    return WholeNumbers.between("--ntasks-per-gpu × " + gpus + " GPUs:", "" + all, 1, MOST);
  }

  private int byGpus() throws BadInput {
    int each =
        GpuSyntax.perTask(given.value(GPUS_PER_TASK).orElse(""), OptionalInt.empty())
            .request()
            .count();
    if (given.value(GPUS).isEmpty() || gpus == 0 || each == 0) {
      throw new BadInput("--gpus-per-task needs the number of tasks; add --ntasks N");
    }
    if (gpus % each != 0) {
      throw new BadInput(
          "--gpus %d cannot be shared out as --gpus-per-task %d; change one of them"
              .formatted(gpus, each));
    }
    return gpus / each;
  }
}
