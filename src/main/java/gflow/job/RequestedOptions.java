package gflow.job;

import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How the user asked for resources, in the words of the options: a {@link Request} has only what
 * that came to. The job's environment tells it, steps inherit it, and {@code --exclusive} has its
 * numbers when the machine is known. Kept among the job's labels, under the options' names; memory
 * is in MB.
 */
public record RequestedOptions(SortedMap<String, String> options) {
  public static final String NTASKS = "ntasks";
  public static final String NTASKS_PER_NODE = "ntasks-per-node";
  public static final String NTASKS_PER_GPU = "ntasks-per-gpu";
  public static final String CPUS_PER_TASK = "cpus-per-task";
  public static final String MINCPUS = "mincpus";
  public static final String CPUS_PER_GPU = "cpus-per-gpu";
  public static final String GPUS = "gpus";
  public static final String GRES = "gres";
  public static final String GPUS_PER_NODE = "gpus-per-node";
  public static final String GPUS_PER_TASK = "gpus-per-task";
  public static final String MEM = "mem";
  public static final String MEM_PER_CPU = "mem-per-cpu";
  public static final String MEM_PER_GPU = "mem-per-gpu";
  public static final String EXCLUSIVE = "exclusive";
  public static final String OVERCOMMIT = "overcommit";

  private static final List<String> GPU_COUNTS =
      List.of(GPUS, GRES, GPUS_PER_NODE, GPUS_PER_TASK, NTASKS_PER_GPU, EXCLUSIVE);
  private static final List<String> MEMORY = List.of(MEM, MEM_PER_CPU, MEM_PER_GPU);

  public RequestedOptions {
    options = Collections.unmodifiableSortedMap(new TreeMap<>(options));
  }

  public static RequestedOptions of(JobSpec spec) {
    return new RequestedOptions(spec.labels());
  }

  public boolean has(String option) {
    return options.containsKey(option);
  }

  /** All of the machine's GPUs and CPUs; with a word it would be shared with some. */
  public boolean wholeMachine() {
    return "".equals(options.get(EXCLUSIVE));
  }

  /** How many tasks, if anything was said that tells it. */
  public OptionalInt ntasks() {
    return number(NTASKS);
  }

  public OptionalInt number(String option) {
    String text = options.get(option);
    return text == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(text));
  }

  /** In MB, as Slurm counts it. */
  public OptionalLong megabytes(String option) {
    String text = options.get(option);
    return text == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
  }

  /** The labels of a job whose GPUs are now so many, however they were asked for before. */
  public static SortedMap<String, String> withGpus(SortedMap<String, String> labels, int count) {
    var changed = new TreeMap<>(labels);
    changed.keySet().removeAll(GPU_COUNTS);
    changed.put(GPUS, Integer.toString(count));
    return changed;
  }

  public static SortedMap<String, String> withMegabytes(
      SortedMap<String, String> labels, long count) {
    var changed = new TreeMap<>(labels);
    changed.keySet().removeAll(MEMORY);
    changed.put(MEM, Long.toString(count));
    return changed;
  }
}
