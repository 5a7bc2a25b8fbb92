package gflow.script.order;

import gflow.job.GpuFilter;
import gflow.job.GpuPart;
import gflow.job.GpuRequest;
import gflow.job.Ranges;
import gflow.script.grammar.Given;
import gflow.script.grammar.Opt;
import gflow.script.value.BadInput;
import gflow.script.value.GpuSyntax;
import gflow.script.value.GpuSyntax.Wanted;
import gflow.script.value.Sizes;
import gflow.script.value.WholeNumbers;
import java.util.List;
import java.util.Optional;

/** Makes one request out of all options that speak about GPUs, or says where they disagree. */
record GpuOptions(Given given) {
  private static final String PER_SOCKET = "gpus-per-socket";

  /** Those that say how many; on one machine they mean the same. */
  static final List<String> COUNTS = List.of("gpus", "gres", "gpus-per-node", PER_SOCKET);

  static final List<String> NAMES =
      Opt.names(
          "gpus gres gpus-per-node gpus-per-socket sockets-per-node gpu-memory shared gpu-type"
              + " gpu-ids exclude-gpus placement");

  static Wanted wanted(Given given) throws BadInput {
    return new GpuOptions(given).wanted();
  }

  static GpuFilter filter(Given given, Wanted wanted) throws BadInput {
    return new GpuOptions(given).filter(wanted);
  }

  private Wanted wanted() throws BadInput {
    Optional<Wanted> counted = counted();
    Optional<String> memory = given.value("gpu-memory");
    if (memory.isPresent()) {
      return withMemory(memory.get(), counted.orElse(Wanted.whole(1)));
    }
    if (given.has("shared")
        && !(counted.isPresent() && counted.get().request() instanceof GpuRequest.Shared)) {
      throw new BadInput(
          "--shared needs the memory that the job will use: add --gpu-memory 8G, or use --gpus"
              + " 0.5");
    }
    if (counted.isPresent()) {
      return counted.get();
    }
    // Whoever names the GPUs wants them all.
    Ranges ids = list("gpu-ids");
    return new Wanted(
        ids.isEmpty() ? new GpuRequest.None() : new GpuRequest.Whole(ids.size()), Optional.empty());
  }

  /** Memory on each of the GPUs, or for the part of one: others may have the rest. */
  private Wanted withMemory(String memory, Wanted counted) throws BadInput {
    long bytes = Sizes.parse(memory);
    if (bytes == 0) {
      throw new BadInput("--gpu-memory must be more than 0; write 8G");
    }
    if (counted.elastic() || counted.request().count() == 0) {
      throw new BadInput(
          "--gpu-memory is memory on GPUs that are shared; it does not go with --gpus "
              + given.value("gpus").or(() -> given.value("gres")).orElse(""));
    }
    GpuPart part =
        counted.request() instanceof GpuRequest.Shared shared ? shared.part() : GpuPart.NONE;
    int count = counted.request().count();
    return new Wanted(new GpuRequest.Shared(count, part, bytes, false), counted.type());
  }

  static GpuPlacement placement(String word) throws BadInput {
    return GpuPlacement.of(word)
        .orElseThrow(
            () ->
                new BadInput(
                    "placement '" + word + "' is not understood; write auto, spread or pack"));
  }

  /** What the options that count say, if anything; more than one must say the same. */
  private Optional<Wanted> counted() throws BadInput {
    Optional<Wanted> found = Optional.empty();
    String first = "";
    for (String name : COUNTS) {
      Optional<Wanted> next = given.read(name, text -> GpuSyntax.count(name, text));
      if (next.isPresent() && name.equals(PER_SOCKET)) {
        next = Optional.of(next.get().times(sockets()));
      }
      if (next.isPresent() && found.isPresent()) {
        if (!next.get().request().equals(found.get().request())) {
          throw new BadInput(
              "%s and %s disagree; give one of them".formatted(shown(first), shown(name)));
        }
        found = Optional.of(found.get().withType(next.get().type()));
      } else if (next.isPresent()) {
        found = next;
        first = name;
      }
    }
    return found;
  }

  /** Slurm does not guess them either. */
  private int sockets() throws BadInput {
    int sockets = given.number("sockets-per-node", 1, GpuSyntax.MOST, 0);
    if (sockets == 0) {
      throw new BadInput("--gpus-per-socket needs --sockets-per-node; or write --gpus");
    }
    return sockets;
  }

  private String shown(String name) {
    return "--" + name + " " + given.value(name).orElse("");
  }

  private GpuFilter filter(Wanted wanted) throws BadInput {
    Ranges only = list("gpu-ids");
    Ranges exclude = list("exclude-gpus");
    int count = wanted.request().count();
    for (String name : List.of("gpu-type", "gpu-ids", "exclude-gpus")) {
      if (count == 0 && given.value(name).isPresent()) {
        throw new BadInput("--" + name + " without a GPU; add --gpus 1");
      }
    }
    if (!only.isEmpty() && only.size() < count) {
      throw new BadInput(
          "--gpus %d needs %d GPUs, but --gpu-ids %s names only %d; name more or ask for fewer"
              .formatted(count, count, only, only.size()));
    }
    if (!only.isEmpty() && only.minus(exclude).size() < count) {
      throw new BadInput(
          "--exclude-gpus " + exclude + " takes away GPUs that --gpu-ids " + only + " asks for");
    }
    return new GpuFilter(type(wanted), numbers(only), numbers(exclude));
  }

  private Optional<String> type(Wanted wanted) throws BadInput {
    Optional<String> named = given.value("gpu-type");
    if (named.isPresent() && !GpuSyntax.TYPE.matcher(named.get()).matches()) {
      throw new BadInput("gpu-type '" + named.get() + "' is no word of a model's name; write a100");
    }
    if (named.isPresent() && wanted.type().isPresent()) {
      if (!named.get().equalsIgnoreCase(wanted.type().get())) {
        throw new BadInput(
            "GPU types "
                + wanted.type().get()
                + " and --gpu-type "
                + named.get()
                + " disagree; give one of them");
      }
    }
    return named.or(wanted::type);
  }

  private Ranges list(String name) throws BadInput {
    Optional<String> text = given.value(name);
    return text.isPresent()
        ? WholeNumbers.list(name, text.get(), GpuSyntax.MOST - 1)
        : Ranges.EMPTY;
  }

  private static List<Integer> numbers(Ranges ranges) {
    return ranges.stream().boxed().toList();
  }
}
