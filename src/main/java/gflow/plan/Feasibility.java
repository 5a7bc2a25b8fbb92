package gflow.plan;

import gflow.job.GpuFilter;
import gflow.job.GpuRequest;
import gflow.job.Ranges;
import gflow.job.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether a request can ever run on this machine; if not, which option to change. */
final class Feasibility {
  private Feasibility() {}

  /** Judges against the machine when empty. */
  static Optional<Reason> judge(Machine machine, Request request, OptionNames flags) {
    Optional<Reason> gpus = gpus(machine, request, flags);
    if (gpus.isPresent()) {
      return gpus;
    }
    int cpus = machine.cpus().size();
    if (request.cpus() > cpus) {
      return tooManyCpus(request.cpus(), cpus, flags.cpus(request));
    }
    return request.memory() > Math.max(0, machine.memory())
        ? never(
            "Need %s memory, the machine has %s (change %s)"
                .formatted(
                    Amount.exactly(request.memory()),
                    Amount.atLeast(machine.memory()),
                    flags.memory()))
        : Optional.empty();
  }

  /**
   * Whether it could run without the GPUs that only an administrator can bring back. One that is
   * named but out of service is no obstacle where the others that are named suffice.
   */
  static boolean canRunInService(Machine machine, Request request) {
    return judge(machine, request, OptionNames.USUAL).isEmpty()
        && tooFew(machine.inService(), request, OptionNames.USUAL).isEmpty();
  }

  private static Optional<Reason> never(String words) {
    return Optional.of(new Reason.Infeasible(words));
  }

  private static Optional<Reason> tooManyCpus(int need, int there, String flag) {
    String share = flag.startsWith("--ntasks") ? ", or share the CPUs by --overcommit" : "";
    return never(
        "Need %s, the machine has %d (change %s%s)"
            .formatted(Amount.count(need, "CPU"), there, flag, share));
  }

  private static Optional<Reason> gpus(Machine machine, Request request, OptionNames flags) {
    if (request.gpus() instanceof GpuRequest.None) {
      return Optional.empty();
    }
    if (machine.gpus().isEmpty()) {
      return never(
          "Need %s, this machine has none (gbatch without --gpus runs on CPUs)"
              .formatted(need(request.gpus())));
    }
    return unknown(machine, request.filter(), flags).or(() -> tooFew(machine, request, flags));
  }

  private static Optional<Reason> unknown(Machine machine, GpuFilter filter, OptionNames flags) {
    Ranges there = Ranges.ofAll(machine.gpus().stream().map(Gpu::index).toList());
    Ranges missing = Ranges.ofAll(filter.only()).minus(there);
    if (!missing.isEmpty()) {
      return never("No GPU %s here; there is: %s (change --gpu-ids)".formatted(missing, there));
    }
    return filter
        .type()
        .filter(type -> machine.gpus().stream().noneMatch(g -> g.isOfType(type)))
        .flatMap(
            type ->
                never(
                    "No GPU of type %s here; there is: %s (change %s)"
                        .formatted(type, String.join(", ", models(machine)), flags.type())));
  }

  private static Optional<Reason> tooFew(Machine machine, Request request, OptionNames flags) {
    List<Gpu> fitting = machine.gpus().stream().filter(g -> g.passes(request.filter())).toList();
    if (fitting.size() < request.gpus().count()) {
      return tooManyGpus(
          need(request.gpus()), fitting.size(), narrowed(request.filter()), flags.gpus());
    }
    long largest = fitting.stream().mapToLong(Gpu::memory).max().orElse(0);
    if (!(request.gpus() instanceof GpuRequest.Shared shared) || shared.memory() == 0) {
      return Optional.empty();
    }
    long large = fitting.stream().filter(gpu -> gpu.memory() >= shared.memory()).count();
    return large < shared.count()
        ? never(
            "Need %s GPU memory, %s (change --gpu-memory)"
                .formatted(
                    Amount.exactly(shared.memory())
                        + (shared.count() > 1 ? " on " + shared.count() : ""),
                    large == 0
                        ? "the largest GPU has " + Amount.atLeast(largest)
                        : Amount.count((int) large, "GPU") + " can hold it"))
        : Optional.empty();
  }

  /** {@code narrowed}: the flags that leave so few of them; may be empty. */
  private static Optional<Reason> tooManyGpus(
      String need, int there, List<String> narrowed, String flag) {
    String flags = String.join(" and ", narrowed);
    String allow = narrowed.size() > 1 ? " allow" : " allows";
    return never(
        "Need %s, the machine has %d%s (change %s%s)"
            .formatted(
                need,
                there,
                narrowed.isEmpty() ? "" : " that " + flags + allow,
                flag,
                narrowed.isEmpty() ? "" : " or " + String.join(", ", narrowed)));
  }

  private static List<String> models(Machine machine) {
    return machine.gpus().stream().map(Gpu::model).distinct().toList();
  }

  private static List<String> narrowed(GpuFilter filter) {
    var flags = new ArrayList<String>();
    filter.type().ifPresent(type -> flags.add("--gpu-type"));
    if (!filter.only().isEmpty()) {
      flags.add("--gpu-ids");
    }
    if (!filter.exclude().isEmpty()) {
      flags.add("--exclude-gpus");
    }
    return flags;
  }

  private static String need(GpuRequest gpus) {
    return switch (gpus) {
      case GpuRequest.None() -> "no GPU";
      case GpuRequest.Whole(int count) -> Amount.count(count, "GPU");
      case GpuRequest.Shared(int count, var part, long memory, var _) ->
          (part.isNone() ? Amount.exactly(memory) + " GPU memory" : part + " GPU")
              + (count > 1 ? " on " + count : "");
    };
  }
}
