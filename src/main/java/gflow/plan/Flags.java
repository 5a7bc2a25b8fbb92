package gflow.plan;

import gflow.job.Asked;
import gflow.job.Request;
import java.util.List;
import java.util.TreeMap;

/** The options to change where a request is too large: those that the user wrote. */
record Flags(Asked asked) {
  static final Flags USUAL = new Flags(new Asked(new TreeMap<>()));

  /** {@code a100:2} and {@code gpu:a100:2}, but not {@code gpu:2}. */
  private static final String TYPED = "(gpu:)?(?!gpu:)[^:]*[A-Za-z][^:]*(:.*)?";

  private static final List<String> GPU_OPTIONS =
      List.of(Asked.GPUS, Asked.GRES, Asked.GPUS_PER_NODE, Asked.GPUS_PER_TASK);

  String gpus() {
    return "--" + first(GPU_OPTIONS, Asked.GPUS);
  }

  /** A type may be a part of a number of GPUs. */
  String type() {
    return GPU_OPTIONS.stream()
        .filter(option -> asked.options().getOrDefault(option, "").matches(TYPED))
        .findFirst()
        .map(option -> "--" + option)
        .orElse("--gpu-type");
  }

  String cpus(Request request) {
    if (asked.has(Asked.CPUS_PER_GPU)) {
      return "--cpus-per-gpu";
    }
    String tasks = "--" + first(List.of(Asked.NTASKS_PER_NODE, Asked.NTASKS_PER_GPU), Asked.NTASKS);
    if (!request.bound()) {
      return tasks;
    }
    return request.ntasks() > 1 ? tasks + " or --cpus-per-task" : "--cpus-per-task";
  }

  String memory() {
    return "--" + first(List.of(Asked.MEM_PER_CPU, Asked.MEM_PER_GPU), Asked.MEM);
  }

  private String first(List<String> options, String otherwise) {
    return options.stream().filter(asked::has).findFirst().orElse(otherwise);
  }
}
