package gflow.plan;

import gflow.job.Request;
import gflow.job.RequestedOptions;
import java.util.List;
import java.util.TreeMap;

/** The options to change where a request is too large: those that the user wrote. */
record OptionNames(RequestedOptions asked) {
  static final OptionNames USUAL = new OptionNames(new RequestedOptions(new TreeMap<>()));

  /** {@code a100:2} and {@code gpu:a100:2}, but not {@code gpu:2}. */
  private static final String TYPED = "(gpu:)?(?!gpu:)[^:]*[A-Za-z][^:]*(:.*)?";

  private static final List<String> GPU_OPTIONS =
      List.of(
          RequestedOptions.GPUS,
          RequestedOptions.GRES,
          RequestedOptions.GPUS_PER_NODE,
          RequestedOptions.GPUS_PER_TASK);

  String gpus() {
    return "--" + first(GPU_OPTIONS, RequestedOptions.GPUS);
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
    if (asked.has(RequestedOptions.MINCPUS)) {
      return "--mincpus";
    }
    if (asked.has(RequestedOptions.CPUS_PER_GPU)) {
      return "--cpus-per-gpu";
    }
    String tasks =
        "--"
            + first(
                List.of(RequestedOptions.NTASKS_PER_NODE, RequestedOptions.NTASKS_PER_GPU),
                RequestedOptions.NTASKS);
    if (!request.bound()) {
      return tasks;
    }
    return request.ntasks() > 1 ? tasks + " or --cpus-per-task" : "--cpus-per-task";
  }

  String memory() {
    return "--"
        + first(
            List.of(RequestedOptions.MEM_PER_CPU, RequestedOptions.MEM_PER_GPU),
            RequestedOptions.MEM);
  }

  private String first(List<String> options, String otherwise) {
    return options.stream().filter(asked::has).findFirst().orElse(otherwise);
  }
}
