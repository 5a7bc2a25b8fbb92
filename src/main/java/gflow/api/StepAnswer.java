package gflow.api;

import java.util.List;

/** What became of a {@link StepOrder}. */
public sealed interface StepAnswer {
  /**
   * It may run now. {@code script} and {@code record} are files for the parent, which writes {@code
   * exit N} into the record when all tasks have ended; {@code mark} goes into their environment;
   * {@code env} are the words that run a program with its signals reset; {@code cpuIds} are there
   * if the step is bound to CPUs. Behind a fence a program knows its GPUs by the numbers {@code
   * seenGpus}; {@code byUuid}: CUDA must be told their UUIDs.
   */
  record Granted(
      long jobId,
      int number,
      int cpus,
      List<Integer> cpuIds,
      List<Integer> gpuIds,
      List<String> gpuUuids,
      List<Integer> seenGpus,
      boolean byUuid,
      String host,
      String script,
      String record,
      String mark,
      String env)
      implements StepAnswer {
    public Granted {
      cpuIds = List.copyOf(cpuIds);
      gpuIds = List.copyOf(gpuIds);
      gpuUuids = List.copyOf(gpuUuids);
      seenGpus = List.copyOf(seenGpus);
    }
  }

  /** Not yet. {@code instead} are options with which it would run at once, if there are any. */
  record Waits(String why, List<String> instead) implements StepAnswer {
    public Waits {
      instead = List.copyOf(instead);
    }
  }

  /** It never can, in Slurm's words; {@code detail} comes before them, or is empty. */
  record Never(String why, String detail) implements StepAnswer {}
}
