package gflow.script.order;

import gflow.job.GpuFilter;
import gflow.job.GpuRequest;
import gflow.job.Ranges;
import gflow.job.Request;
import gflow.job.RequestedOptions;
import gflow.script.grammar.Given;
import gflow.script.value.BadInput;
import gflow.script.value.Times;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The partition of an order, if it is one that is defined, and what that makes of the order. */
final class Placement {
  /** What a job that names none is said to be in. */
  private static final String UNNAMED = "local";

  private final Given given;
  private final Defaults defaults;
  private final Optional<Map.Entry<String, Partition>> partition;

  Placement(Given given, Defaults defaults) throws BadInput {
    this.given = given;
    this.defaults = defaults;
    if (!defaults.partitions().isEmpty()) {
      given.read("partition", this::refuseUnknown);
    }
    partition = find();
  }

  private static List<String> names(String list) {
    return Stream.of(list.split(",", -1)).map(String::strip).toList();
  }

  /** Where there are any, another name is a slip, and would have none of their limits. */
  private String refuseUnknown(String list) throws BadInput {
    for (String name : names(list)) {
      if (!isUnnamed(name) && !defaults.partitions().containsKey(name)) {
        throw new BadInput(
            "there is no partition '%s', there are %s"
                .formatted(name, String.join(", ", defaults.partitions().keySet())));
      }
    }
    return list;
  }

  /** Of a list the first that allows the time, as of Slurm's; if none does, the first. */
  private Optional<Map.Entry<String, Partition>> find() throws BadInput {
    Optional<String> named = given.value("partition");
    if (named.isEmpty()) {
      return defaults.partitions().entrySet().stream()
          .filter(p -> p.getValue().standard())
          .findFirst();
    }
    Optional<Optional<Duration>> asked = given.read("time", Times::limit);
    List<Map.Entry<String, Partition>> there =
        names(named.get()).stream()
            .filter(name -> defaults.partitions().containsKey(name))
            .map(name -> Map.entry(name, defaults.partitions().get(name)))
            .toList();
    if (isUnnamed(names(named.get()).getFirst())) {
      return Optional.empty();
    }
    return there.stream()
        .filter(p -> asked.isEmpty() || allows(p.getValue(), asked.get()))
        .findFirst()
        .or(() -> there.stream().findFirst());
  }

  private boolean isUnnamed(String name) {
    return name.equals(UNNAMED) && !defaults.partitions().containsKey(name);
  }

  private static boolean allows(Partition partition, Optional<Duration> asked) {
    Optional<Duration> most = partition.maxTime();
    return most.isEmpty() || asked.filter(time -> time.compareTo(most.get()) <= 0).isPresent();
  }

  /** The label, also where nobody named it. */
  Optional<String> name() {
    Optional<String> first = given.value("partition").map(list -> names(list).getFirst());
    return partition.map(Map.Entry::getKey).or(() -> first.filter(this::isUnnamed));
  }

  Optional<Duration> timeLimit() throws BadInput {
    Optional<Optional<Duration>> asked = given.read("time", Times::limit);
    Optional<Duration> most = partition.flatMap(p -> p.getValue().maxTime());
    if (asked.isPresent()) {
      return given.about(
          List.of("time", "partition"), () -> within(name().orElse(""), asked.get(), most));
    }
    Optional<Duration> usual =
        partition.flatMap(p -> p.getValue().defaultTime()).or(defaults::time).or(() -> most);
    return usual.isPresent() && most.isPresent() && usual.get().compareTo(most.get()) > 0
        ? most
        : usual;
  }

  static Optional<Duration> within(
      String partition, Optional<Duration> asked, Optional<Duration> most) throws BadInput {
    if (most.isPresent() && (asked.isEmpty() || asked.get().compareTo(most.get()) > 0)) {
      throw new BadInput(
          "Need %s, partition %s allows %s (change --time or --partition)"
              .formatted(
                  asked.map(Times::format).orElse("no time limit"),
                  partition,
                  Times.format(most.get())));
    }
    return asked;
  }

  Request request(ResourceTotals totals) throws BadInput {
    Request request = placed(typed(totals.request()));
    if (partition.isEmpty()) {
      return request;
    }
    return given.about(
        List.of("partition", "gpus", "gres", "gpus-per-node", "gpus-per-task", "exclusive"),
        () -> inside(request, partition.get().getValue()));
  }

  /** By the name that the type has here. */
  private Request typed(Request request) {
    GpuFilter filter = request.filter();
    return request.withFilter(
        new GpuFilter(filter.type().map(defaults.site()::type), filter.only(), filter.exclude()));
  }

  /** What has an end soon makes room for whole GPUs again wherever it is. */
  private Request placed(Request request) throws BadInput {
    Optional<GpuPlacement> asked = given.read("placement", GpuOptions::placement);
    if (!(request.gpus() instanceof GpuRequest.Shared shared)) {
      if (asked.isPresent()) {
        throw new BadInput("--placement is for parts of GPUs; leave it out, or write --gpus 0.5");
      }
      return request;
    }
    boolean spread =
        switch (asked.orElse(defaults.placement())) {
          case AUTO -> timeLimit().isPresent();
          case SPREAD -> true;
          case PACK -> false;
        };
    return request.withGpus(shared.spread(spread));
  }

  private Request inside(Request request, Partition partition) throws BadInput {
    boolean some = !partition.gpus().isEmpty();
    if (some && given.has(RequestedOptions.EXCLUSIVE)) {
      throw new BadInput(
          "--exclusive is the whole machine, partition %s has only GPUs %s; leave one of them out"
              .formatted(name().orElse(""), partition.gpus()));
    }
    if (request.gpus() instanceof GpuRequest.None) {
      return request;
    }
    int there = some ? partition.gpus().size() : Integer.MAX_VALUE;
    int most = Math.min(there, partition.maxGpus().orElse(Integer.MAX_VALUE));
    if (request.gpus().count() > most) {
      throw new BadInput(
          "Need %d GPUs, partition %s allows %d (change --gpus or --partition)"
              .formatted(request.gpus().count(), name().orElse(""), most));
    }
    Request bounded = request.upTo(Math.min(request.mostGpus(), most));
    return some ? on(bounded, partition.gpus()) : bounded;
  }

  private Request on(Request request, Ranges gpus) throws BadInput {
    GpuFilter filter = request.filter();
    Ranges outside = Ranges.ofAll(filter.only()).minus(gpus);
    if (!outside.isEmpty()) {
      throw new BadInput(
          "GPU %s is not in partition %s, which has %s (change --gpu-ids or --partition)"
              .formatted(outside, name().orElse(""), gpus));
    }
    List<Integer> only = filter.only().isEmpty() ? gpus.stream().boxed().toList() : filter.only();
    return request.withFilter(new GpuFilter(filter.type(), only, filter.exclude()));
  }
}
