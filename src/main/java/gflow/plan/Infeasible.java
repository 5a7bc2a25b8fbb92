package gflow.plan;

import gflow.job.GpuFilter;
import gflow.job.GpuRequest;
import gflow.job.Ranges;
import gflow.job.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Why a request can never run on this machine, with the flag to change. */
public sealed interface Infeasible extends Reason {
  record NoGpus(String need) implements Infeasible {
    @Override
    public String text() {
      return "Need " + need + ", this machine has none (gbatch without --gpus runs on CPUs)";
    }
  }

  record NoGpuType(String type, List<String> models, String flag) implements Infeasible {
    public NoGpuType {
      models = List.copyOf(models);
    }

    @Override
    public String text() {
      String there = String.join(", ", models);
      return "No GPU of type " + type + " here; there is: " + there + " (change " + flag + ")";
    }
  }

  record NoGpuIds(Ranges missing, Ranges there) implements Infeasible {
    @Override
    public String text() {
      return "No GPU " + missing + " here; there is: " + there + " (change --gpu-ids)";
    }
  }

  /** {@code narrowed}: the flags that leave so few of them; may be empty. */
  record TooManyGpus(String need, int there, List<String> narrowed, String flag)
      implements Infeasible {
    public TooManyGpus {
      narrowed = List.copyOf(narrowed);
    }

    @Override
    public String text() {
      String flags = String.join(" and ", narrowed);
      return "Need %s, the machine has %d%s (change %s%s)"
          .formatted(
              need,
              there,
              narrowed.isEmpty()
                  ? ""
                  : " that " + flags + (narrowed.size() > 1 ? " allow" : " allows"),
              flag,
              narrowed.isEmpty() ? "" : " or " + String.join(", ", narrowed));
    }
  }

  record TooMuchGpuMemory(long need, long largest) implements Infeasible {
    @Override
    public String text() {
      return "Need %s GPU memory, the largest GPU has %s (change --gpu-memory)"
          .formatted(Amount.exactly(need), Amount.atLeast(largest));
    }
  }

  record TooManyCpus(int need, int there, String flag) implements Infeasible {
    @Override
    public String text() {
      String share = flag.startsWith("--ntasks") ? ", or share the CPUs by --overcommit" : "";
      return "Need %s, the machine has %d (change %s%s)"
          .formatted(Amount.count(need, "CPU"), there, flag, share);
    }
  }

  record TooMuchMemory(long need, long there, String flag) implements Infeasible {
    @Override
    public String text() {
      return "Need %s memory, the machine has %s (change %s)"
          .formatted(Amount.exactly(need), Amount.atLeast(there), flag);
    }
  }

  /** Judges against the machine when empty. */
  static Optional<Reason> judge(Machine machine, Request request, OptionNames flags) {
    Optional<Reason> gpus = gpus(machine, request, flags);
    if (gpus.isPresent()) {
      return gpus;
    }
    int cpus = machine.cpus().size();
    if (request.cpus() > cpus) {
      return Optional.of(new TooManyCpus(request.cpus(), cpus, flags.cpus(request)));
    }
    return request.memory() > Math.max(0, machine.memory())
        ? Optional.of(new TooMuchMemory(request.memory(), machine.memory(), flags.memory()))
        : Optional.empty();
  }

  private static Optional<Reason> gpus(Machine machine, Request request, OptionNames flags) {
    if (request.gpus() instanceof GpuRequest.None) {
      return Optional.empty();
    }
    if (machine.gpus().isEmpty()) {
      return Optional.of(new NoGpus(need(request.gpus())));
    }
    return unknown(machine, request.filter(), flags).or(() -> tooFew(machine, request, flags));
  }

  private static Optional<Reason> unknown(Machine machine, GpuFilter filter, OptionNames flags) {
    Ranges there = Ranges.ofAll(machine.gpus().stream().map(Gpu::index).toList());
    Ranges missing = Ranges.ofAll(filter.only()).minus(there);
    if (!missing.isEmpty()) {
      return Optional.of(new NoGpuIds(missing, there));
    }
    return filter
        .type()
        .filter(type -> machine.gpus().stream().noneMatch(g -> g.isOfType(type)))
        .map(type -> new NoGpuType(type, models(machine), flags.type()));
  }

  private static Optional<Reason> tooFew(Machine machine, Request request, OptionNames flags) {
    List<Gpu> fitting = machine.gpus().stream().filter(g -> g.passes(request.filter())).toList();
    if (fitting.size() < request.gpus().count()) {
      return Optional.of(
          new TooManyGpus(
              need(request.gpus()), fitting.size(), narrowed(request.filter()), flags.gpus()));
    }
    long largest = fitting.stream().mapToLong(Gpu::memory).max().orElse(0);
    return request.gpus() instanceof GpuRequest.Memory(long bytes) && bytes > largest
        ? Optional.of(new TooMuchGpuMemory(bytes, largest))
        : Optional.empty();
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
      case GpuRequest.Share(int thousandths) -> Amount.part(thousandths) + " GPU";
      case GpuRequest.Memory(long bytes) -> Amount.exactly(bytes) + " GPU memory";
    };
  }
}
