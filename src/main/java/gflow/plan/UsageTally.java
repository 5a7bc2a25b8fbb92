package gflow.plan;

import gflow.job.Allocation.GpuGrant;
import gflow.job.GpuPart;
import gflow.job.GpuRequest;
import gflow.job.JobId;
import gflow.job.Owner;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Who holds how much, counted on with each start, against the limits. */
final class UsageTally {
  private final UsageLimits limits;
  private final long largestGpu;
  private final Map<Integer, Sum> users = new HashMap<>();
  private final Map<String, Sum> projects = new HashMap<>();
  private final Map<Integer, JobId> ports = new HashMap<>();

  private record Sum(int tasks, GpuPart gpus) {
    static final Sum ZERO = new Sum(0, GpuPart.NONE);

    Sum plus(Sum other) {
      return new Sum(tasks + other.tasks, gpus.plus(other.gpus));
    }

    boolean exceedsTasks(UsageLimits.Cap cap) {
      return cap.tasks().isPresent() && tasks > cap.tasks().getAsInt();
    }

    boolean exceedsGpus(UsageLimits.Cap cap) {
      return cap.gpus().isPresent()
          && gpus.compareTo(GpuPart.WHOLE.times(cap.gpus().getAsInt())) > 0;
    }
  }

  UsageTally(PlanningView view) {
    limits = view.limits();
    largestGpu = view.machine().largestGpu();
    for (Holding holding : view.holdings()) {
      add(holding.owner(), holding.project(), holding.allocation().gpus());
      listen(holding.task().number(), holding.ports());
    }
  }

  /** Two that listen on one port would mix, or the second would fail. */
  void listen(JobId job, List<Integer> on) {
    on.forEach(port -> ports.putIfAbsent(port, job));
  }

  void add(Owner owner, Optional<String> project, List<GpuGrant> grants) {
    var one = new Sum(1, grants.stream().map(this::weight).reduce(GpuPart.NONE, GpuPart::plus));
    users.merge(owner.uid(), one, Sum::plus);
    project.ifPresent(name -> projects.merge(name, one, Sum::plus));
  }

  /** Counts one more whole GPU of somebody, if the limits allow it. */
  boolean addGpu(Owner owner, Optional<String> project) {
    var gpu = new Sum(0, GpuPart.WHOLE);
    Sum ofUser = users.getOrDefault(owner.uid(), Sum.ZERO).plus(gpu);
    boolean allowed = !ofUser.exceedsGpus(limits.user(owner.name()));
    for (String name : project.stream().toList()) {
      Sum ofProject = projects.getOrDefault(name, Sum.ZERO).plus(gpu);
      allowed &= !ofProject.exceedsGpus(limits.project(name));
    }
    if (allowed) {
      users.merge(owner.uid(), gpu, Sum::plus);
      project.ifPresent(name -> projects.merge(name, gpu, Sum::plus));
    }
    return allowed;
  }

  GpuPart gpusOf(Owner owner) {
    return users.getOrDefault(owner.uid(), Sum.ZERO).gpus();
  }

  /** The limit that one more task of this candidate would break. */
  Optional<Reason> limit(Candidate c) {
    var one = new Sum(1, weight(c.request().gpus()));
    return userLimit(c, one)
        .or(() -> c.project().flatMap(name -> projectLimit(name, one)))
        .or(() -> port(c));
  }

  private Optional<Reason> port(Candidate c) {
    return c.ports().stream()
        .filter(ports::containsKey)
        .findFirst()
        .map(port -> new Reason.Port(port, ports.get(port)));
  }

  private Optional<Reason> userLimit(Candidate c, Sum one) {
    UsageLimits.Cap cap = limits.user(c.owner().name());
    Sum then = users.getOrDefault(c.owner().uid(), Sum.ZERO).plus(one);
    if (then.exceedsTasks(cap)) {
      return Optional.of(new Reason.UserTaskLimit(cap.tasks().getAsInt()));
    }
    return !one.gpus().isNone() && then.exceedsGpus(cap)
        ? Optional.of(new Reason.UserGpuLimit(cap.gpus().getAsInt()))
        : Optional.empty();
  }

  private Optional<Reason> projectLimit(String name, Sum one) {
    UsageLimits.Cap cap = limits.project(name);
    Sum then = projects.getOrDefault(name, Sum.ZERO).plus(one);
    if (then.exceedsTasks(cap)) {
      return Optional.of(new Reason.ProjectTaskLimit(name, cap.tasks().getAsInt()));
    }
    return !one.gpus().isNone() && then.exceedsGpus(cap)
        ? Optional.of(new Reason.ProjectGpuLimit(name, cap.gpus().getAsInt()))
        : Optional.empty();
  }

  private GpuPart weight(GpuRequest request) {
    return switch (request) {
      case GpuRequest.None() -> GpuPart.NONE;
      case GpuRequest.Whole(int count) -> GpuPart.WHOLE.times(count);
      case GpuRequest.Shared(int count, var part, long memory, var _) ->
          weight(part, memory).times(count);
    };
  }

  private GpuPart weight(GpuGrant grant) {
    return weight(grant.part(), grant.memory());
  }

  /** Memory counts as its part of the largest GPU, so that a request weighs the same anywhere. */
  private GpuPart weight(GpuPart part, long memory) {
    return part.isNone() ? GpuPart.ofMemory(memory, largestGpu) : part;
  }
}
